import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";
import { startForwardProxy } from "../../src/proxies/forward.js";
import { startSocksProxy } from "../../src/proxies/socks.js";

// Processes take longer on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const ORIGIN = "http://files.example";
const PASSWORD = "hidden-password";
const FILES = {
  "plugin/package.json": JSON.stringify({ name: "guard", version: "1.0.0" }),
  "plugin/openclaw.plugin.json": JSON.stringify({ id: "guard", version: "1.0.0" }),
  "plugin/index.mjs": "export function register() {}\n",
};

const folder = temporaryFolder("files");
/** Serves what is in the folder, as a registry, for downloads and as a repository of git. */
const server = createServer((request, answer) => {
  const { pathname } = new URL(request.url ?? "/", ORIGIN);
  if (pathname.startsWith("/guard.git/")) return serveGit(request, answer);
  const file = join(folder.path, decodeURIComponent(pathname));
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  answer.writeHead(isFile ? 200 : 404).end(isFile ? readFileSync(file) : "");
});
let port: number;

beforeAll(async () => {
  folder.write(FILES);
  const plugin = join(folder.path, "plugin");
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: plugin, stdio: "pipe" });
  run("npm", "pack", "--pack-destination", folder.path);
  const tarball = `${ORIGIN}/guard-1.0.0.tgz`;
  folder.write({
    guard: JSON.stringify({
      name: "guard",
      "dist-tags": { latest: "1.0.0" },
      versions: { "1.0.0": { name: "guard", version: "1.0.0", dist: { tarball } } },
    }),
  });
  run("git", "init", "--quiet");
  run("git", "add", ".");
  const author = ["-c", "user.name=me", "-c", "user.email=me@example.com"];
  run("git", ...author, "commit", "--quiet", "--message", "first");
  run("git", "clone", "--quiet", "--bare", ".", join(folder.path, "guard.git"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  folder[Symbol.dispose]();
});

async function startProxy(kind: string) {
  const credentials = { user: "me", password: PASSWORD };
  const proxy =
    kind === "HTTP"
      ? await startForwardProxy({ serverPort: port, credentials: `me:${PASSWORD}` })
      : await startSocksProxy(credentials, port);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const scheme = kind === "HTTP" ? "http" : "socks5h";
  return { seen: proxy.seen, url: `${scheme}://me:${PASSWORD}@127.0.0.1:${proxy.port}` };
}

/** Installs a plugin in an empty state folder. */
async function install(source: string, environment: Readonly<Record<string, string>>) {
  const place = emptyPlace({
    npm_config_registry: ORIGIN,
    npm_config_cache: join(folder.path, `cache-${Math.random()}`),
    npm_config_userconfig: join(folder.path, "npmrc"),
    npm_config_fetch_retries: "0",
    ...environment,
  });
  onTestFinished(() => place[Symbol.dispose]());
  mkdirSync(place.workspace, { recursive: true });
  return await openclawProcess(["plugins", "install", source, "--yes"], place);
}

/** Answers as a server of git does, by its CGI program. */
function serveGit(request: IncomingMessage, answer: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", ORIGIN);
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder.path,
      GIT_HTTP_EXPORT_ALL: "1",
      // The folder may belong to another user than that of the test.
      ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" },
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
  });
  request.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  backend.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  backend.once("close", () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf("\r\n\r\n");
    const headers = output.subarray(0, end).toString().split("\r\n");
    for (const header of headers) {
      const [, name = "", value = ""] = /^([^:]+): (.*)$/.exec(header) ?? [];
      if (name === "Status") answer.statusCode = Number.parseInt(value, 10);
      else if (name !== "") answer.setHeader(name, value);
    }
    answer.end(output.subarray(end + 4));
  });
}

const SOURCES = [
  ["a registry", "guard"],
  ["an archive", `${ORIGIN}/guard-1.0.0.tgz`],
  ["git", `git+${ORIGIN}/guard.git`],
] as const;
/** Sources that npm and git ask, each in its way. */
const REMOTE = [SOURCES[0], SOURCES[2]];

describe.each(["HTTP", "SOCKS 5"])("behind a proxy of %s with credentials", (kind) => {
  it.each(SOURCES)("[SAFE-561] a plugin is installed from %s", async (_name, source) => {
    const proxy = await startProxy(kind);
    const result = await install(source, { ALL_PROXY: proxy.url });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(proxy.seen.length).toBeGreaterThan(0);
    expect(proxy.seen.every((line) => line.includes("files.example"))).toBe(true);
    expect(result.stdout).not.toContain(PASSWORD);
  });
});

describe("an installation that fails", () => {
  it.each(REMOTE)("[SAFE-561] from %s shows no password of the proxy", async (_name, source) => {
    const { url } = await startProxy("HTTP");
    const wrong = url.replace(PASSWORD, "wrong-password");
    const { exitCode, stdout, stderr } = await install(source, { HTTP_PROXY: wrong });
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("407");
    expect(stdout + stderr).not.toContain("wrong-password");
  });

  it.each(REMOTE)("[SAFE-561] from %s of NO_PROXY asks no proxy", async (_name, source) => {
    const proxy = await startProxy("HTTP");
    const variables = { HTTP_PROXY: proxy.url, NO_PROXY: ".example" };
    const { exitCode, stdout, stderr } = await install(source, variables);
    expect(exitCode).not.toBe(0);
    expect(proxy.seen).toEqual([]);
    expect(stdout + stderr).not.toContain(PASSWORD);
  });
});
