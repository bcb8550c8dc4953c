import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { env, execPath } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { NPM_PATIENCE, run, start } from "./command.mjs";

const READY_MS = 30_000;
const LOG_SHOWN = 2000;

/** Behind a proxy that ends TLS, its certificates are among those of the system, not those of Node. */
const TRUSTING = { NODE_USE_SYSTEM_CA: "1" };

/** Packages of ours are never taken from the public registry, which knows some of their names too. */
const WORKSPACE = ["openclaw", "create-openclaw-plugin", "@openclaw/*"];

/**
 * Starts a registry of our own on this machine. It passes on what others publish.
 * @param folder - for what is published
 * @param cacheFolder - keeps the registry's program from one rehearsal to the next
 * @param scopes - further scopes that are published to it, for example `@acme`
 * @returns its address, what it complained of, and a function that ends it
 */
export async function startRegistry(folder, cacheFolder, scopes) {
  const program = await installVerdaccio(cacheFolder);
  const port = await freePort();
  const file = join(folder, "verdaccio.yaml");
  writeFileSync(file, configuration(folder, port, scopes));
  const logFile = join(folder, "verdaccio.log");
  const registry = start([execPath, program, "--config", file], {
    cwd: folder,
    environment: { ...TRUSTING, ...env },
    logFile,
  });
  const url = `http://127.0.0.1:${port}/`;
  const complaints = () => readFileSync(logFile, "utf8").trim().slice(-LOG_SHOWN);
  try {
    await answers(`${url}-/ping`, registry);
  } catch (error) {
    await registry.stop();
    throw new Error(`${error.message}; it said:\n${complaints()}`);
  }
  return { url, complaints, stop: registry.stop };
}

/**
 * Installed on first use, from a separate lock file: building and testing the workspace does not need it.
 * One of its dependencies cannot be installed unchanged, hence the override there.
 */
async function installVerdaccio(cacheFolder) {
  const lock = join(import.meta.dirname, "verdaccio");
  const { dependencies } = JSON.parse(readFileSync(join(lock, "package.json"), "utf8"));
  const home = join(cacheFolder, `verdaccio-${dependencies.verdaccio}`);
  const program = "node_modules/verdaccio/bin/verdaccio";
  if (existsSync(join(home, program))) return join(home, program);
  await mkdir(cacheFolder, { recursive: true });
  const draft = mkdtempSync(join(cacheFolder, "draft-"));
  try {
    cpSync(lock, draft, { recursive: true });
    const environment = Object.fromEntries(
      Object.entries(env).filter(([name]) => !/^(npm|pnpm)_/i.test(name)),
    );
    const install = [
      "npm",
      "ci",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ];
    await run(install, {
      cwd: draft,
      environment: { ...TRUSTING, ...environment, ...NPM_PATIENCE },
    });
    renameSync(draft, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return join(home, program);
}

function configuration(folder, port, scopes) {
  const own = [...new Set([...WORKSPACE, ...scopes.map((scope) => `${scope}/*`)])];
  const open = "{ access: $all, publish: $all, unpublish: $all }";
  return [
    `storage: ${JSON.stringify(join(folder, "storage"))}`,
    `auth: { htpasswd: { file: ${JSON.stringify(join(folder, "htpasswd"))} } }`,
    "uplinks:",
    "  npmjs: { url: https://registry.npmjs.org/, timeout: 60s, maxage: 60m, max_fails: 10 }",
    "packages:",
    ...own.map((name) => `  ${JSON.stringify(name)}: ${open}`),
    '  "**": { access: $all, proxy: npmjs }',
    "log: { type: stdout, format: pretty, level: warn, colors: false }",
    `listen: 127.0.0.1:${port}`,
    // Its default is smaller than the archive of the word vectors; the public registry takes more.
    "max_body_size: 64mb",
    "",
  ].join("\n");
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function answers(url, registry) {
  for (const until = Date.now() + READY_MS; Date.now() < until; await wait(100)) {
    if (registry.hasEnded()) throw new Error("the registry ended by itself");
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error(`the registry did not answer at ${url} within ${READY_MS} ms`);
}
