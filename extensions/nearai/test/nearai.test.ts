import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNearAiServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import { registeredProviders } from "@openclaw/plugin-testkit/model-providers";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import plugin from "../src/index.js";
import { sessionFetch } from "../src/session-fetch.js";
import { SessionFile } from "../src/session-file.js";
import { signIn } from "../src/sign-in.js";

const loaded = vi.hoisted(() => ({ library: false }));
vi.mock("@ai-sdk/openai", async (original) => {
  loaded.library = true;
  return original();
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "nearai-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function provider(config: { apiKey?: string; baseURL?: string } = {}, stateDir?: string) {
  const [found] = await registeredProviders(plugin, config, stateDir);
  if (found === undefined) throw new Error("the plugin registered no provider");
  return found;
}

beforeEach(() => {
  for (const name of ["API_KEY", "MODEL", "BASE_URL", "API_MODE", "AUTH_URL", "SESSION_PATH"]) {
    vi.stubEnv(`NEARAI_${name}`, "");
  }
});
afterEach(() => vi.unstubAllEnvs());

describe("nearai plugin", () => {
  it("declares the provider and the settings in its manifest", async () => {
    expect(manifest).toMatchObject({ id: plugin.id, version: packageJson.version });
    expect(manifest.configSchema).toEqual(plugin.configSchema);
    expect(manifest.providers).toEqual([(await provider()).id]);
    expect(packageJson.files).toContain("openclaw.plugin.json");
  });

  it("[LLM-010] uses chat completions with a key, responses with a session, and NEARAI_API_MODE over both", async () => {
    const modelOf = async (config = {}) => (await provider(config)).languageModel("m");
    const path = join(emptyFolder(), "session.json");
    vi.stubEnv("NEARAI_SESSION_PATH", path);
    await expect(modelOf()).rejects.toMatchObject({ code: "NEARAI_SESSION_MISSING" });
    writeFileSync(path, JSON.stringify({ session_token: "sess_x" }));
    expect(loaded.library).toBe(false);
    expect((await modelOf({ apiKey: "k" })).provider).toBe("nearai.chat");
    expect(loaded.library).toBe(false);
    expect((await modelOf()).provider).toBe("nearai.responses");
    vi.stubEnv("NEARAI_API_MODE", "responses");
    expect((await modelOf({ apiKey: "k" })).provider).toBe("nearai.responses");
    vi.stubEnv("NEARAI_API_MODE", "chat_completions");
    expect((await modelOf()).provider).toBe("nearai.chat");
    vi.stubEnv("NEARAI_API_MODE", "soap");
    await expect(provider()).rejects.toMatchObject({
      code: "PROVIDER_SETTING_INVALID",
      message: expect.stringContaining(
        'NEARAI_API_MODE: expected one of responses, chat_completions, got "soap"',
      ),
    });
  });

  it("[LLM-010] is usable with NEARAI_API_KEY, or with the session at NEARAI_SESSION_PATH", async () => {
    expect(await provider()).toMatchObject({
      credential: undefined,
      setup: "set NEARAI_API_KEY, or sign in with `openclaw nearai login`",
    });
    const path = join(emptyFolder(), "session.json");
    vi.stubEnv("NEARAI_SESSION_PATH", path);
    expect((await provider()).credential).toBeUndefined();
    // The format of IronClaw, which has no expiry.
    writeFileSync(path, JSON.stringify({ session_token: "sess_x", created_at: "2026-01-01" }));
    expect((await provider()).credential).toEqual({ source: path });
    vi.stubEnv("NEARAI_API_KEY", "key-1");
    vi.stubEnv("NEARAI_MODEL", "vendor/model");
    expect(await provider()).toMatchObject({
      credential: { source: "NEARAI_API_KEY" },
      defaultModel: "vendor/model",
    });
  });

  it("[LLM-007] continues a conversation of a host after the last response", async () => {
    await using server = await startNearAiServer([{ text: "one" }, { text: "two" }]);
    const path = join(emptyFolder(), "session.json");
    writeFileSync(path, JSON.stringify({ session_token: server.signIn() }));
    const pluginConfig = { baseURL: server.origin, sessionPath: path };
    await using host = await createTestHost({ plugin, pluginConfig, model: "nearai/m" });
    expect((await host.turn("first")).text).toBe("one");
    expect((await host.turn("second")).text).toBe("two");
    const { previous_response_id: previous, input } = server.requests[1]?.body ?? {};
    expect(previous).toBe("resp_fake1");
    expect(input).toHaveLength(1);
  });

  it("lists the models of the server", async () => {
    await using server = await startNearAiServer();
    const made = await provider({ apiKey: "test-key", baseURL: server.origin });
    expect(await made.listModels?.()).toEqual(["model-a", "model-b"]);
  });
});

describe("sign-in at NEAR AI", () => {
  it("[HOST-038] stores the session of the browser in a file that only its owner can read", async () => {
    await using server = await startNearAiServer();
    const session = await signIn({
      authURL: server.origin,
      account: "github",
      port: 0,
      signal: AbortSignal.timeout(10_000),
      show: (url) => void browse(url),
    });
    expect(session.token).toBe("sess_1");
    expect(session.expiresAt).toBeGreaterThan(Date.now());
    const folder = emptyFolder();
    const file = new SessionFile(join(folder, "deep", "session.json"));
    writeFileSync(join(folder, "session.json.new"), "", { mode: 0o644 });
    await file.write(session, "github", Date.now());
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "deep")).mode & 0o777).toBe(0o700);
    expect(file.read()).toEqual(session);
    expect(JSON.parse(readFileSync(file.path, "utf8"))).toMatchObject({ auth_provider: "github" });
  });

  it("[GW-222] writes a session file that is mounted alone", async ({ skip }) => {
    const folder = emptyFolder();
    const [source, path] = [join(folder, "source"), join(folder, "session.json")];
    for (const each of [source, path]) writeFileSync(each, "{}", { mode: 0o600 });
    const isMounted = spawnSync("mount", ["--bind", source, path]).status === 0;
    skip(!isMounted, "this process may not mount files");
    onTestFinished(() => void spawnSync("umount", [path]));
    const file = new SessionFile(path);
    const write = (token: string) => file.write({ token, expiresAt: undefined }, "github", 0);
    await write("sess_1");
    expect(JSON.parse(readFileSync(source, "utf8"))).toMatchObject({ session_token: "sess_1" });
    spawnSync("mount", ["-o", "remount,bind,ro", path]);
    await expect(write("sess_2")).rejects.toThrow(
      expect.objectContaining({
        code: "FILE_NOT_REPLACED",
        message: expect.stringContaining("mount the folder instead of the file"),
      }),
    );
    expect(file.read()).toEqual({ token: "sess_1", expiresAt: undefined });
  });

  it("ignores an answer without the secret path, and ends when the time is over", async () => {
    await using server = await startNearAiServer();
    const over = new AbortController();
    const attempt = signIn({
      authURL: server.origin,
      account: "google",
      port: 0,
      signal: over.signal,
      show(url) {
        const callback = new URL(new URL(url).searchParams.get("frontend_callback") ?? "");
        void fetch(new URL("/auth/callback?token=stolen", callback)).then(({ status }) => {
          expect(status).toBe(404);
          over.abort();
        });
      },
    });
    await expect(attempt).rejects.toMatchObject({
      code: "NEARAI_SIGN_IN_FAILED",
      message: expect.stringContaining("did not come back in time; run the command again"),
    });
  });

  it("[HOST-038] lets the browser return to a free port when another program has 9876", async () => {
    await using server = await startNearAiServer();
    const other = createServer();
    // Another program of this machine may have the port already, which is the same.
    const listening = once(other.listen(9876, "127.0.0.1"), "listening");
    const isHeld = await listening.then(
      () => true,
      () => false,
    );
    onTestFinished(() => void (isHeld && other.close()));
    let returnedTo = "";
    const options = {
      authURL: server.origin,
      account: "github" as const,
      signal: AbortSignal.timeout(10_000),
      show(url: string) {
        returnedTo = new URL(new URL(url).searchParams.get("frontend_callback") ?? "").port;
        void browse(url);
      },
    };
    expect((await signIn(options)).token).toBe("sess_1");
    expect(Number(returnedTo)).toBeGreaterThan(0);
    expect(returnedTo).not.toBe("9876");
    await expect(signIn({ ...options, port: 9876 })).rejects.toMatchObject({
      code: "NEARAI_SIGN_IN_FAILED",
      message: expect.stringMatching(
        /EADDRINUSE.*; free the port, or name another one with --port/,
      ),
    });
  });

  async function browse(url: string): Promise<void> {
    const response = await fetch(url);
    expect(await response.text()).toContain("You are signed in");
  }
});

describe("sessionFetch", () => {
  const NOW = 1_000_000;

  /** Returns a session file, and a fetch that accepts one token and notes those that it was sent. */
  function scene() {
    const file = new SessionFile(join(emptyFolder(), "session.json"));
    const sent: (string | null)[] = [];
    const valid = { token: "new" };
    const fetch = sessionFetch({
      file,
      now: () => NOW,
      fetch: async (_input, init) => {
        const token = new Headers(init?.headers).get("authorization");
        sent.push(token);
        return new Response(null, { status: token === `Bearer ${valid.token}` ? 200 : 401 });
      },
    });
    const store = (token: string, expiresAt?: number) =>
      file.write({ token, expiresAt }, "github", NOW);
    return { fetch, sent, store, valid };
  }

  it("[LLM-010] renews a rejected session once from the file, and fails when it has no newer one", async () => {
    const { fetch, sent, store, valid } = scene();
    await store("old");
    valid.token = "old";
    expect((await fetch("http://x")).status).toBe(200);
    valid.token = "new";
    await expect(fetch("http://x")).rejects.toMatchObject({
      code: "NEARAI_SESSION_RENEWAL_FAILED",
      message: expect.stringContaining("sign in again with `openclaw nearai login`"),
    });
    await store("new");
    expect((await fetch("http://x")).status).toBe(200);
    expect(sent).toEqual(["Bearer old", "Bearer old", "Bearer old", "Bearer new"]);
    await store("newer");
    valid.token = "newest";
    expect((await fetch("http://x")).status).toBe(401);
    expect(sent.slice(4)).toEqual(["Bearer new", "Bearer newer"]);
  });

  it("[HOST-038] takes a newer session from the file before the present one ends", async () => {
    const { fetch, sent, store, valid } = scene();
    await store("new", NOW + 30_000);
    await fetch("http://x");
    await store("newer", NOW + 3_600_000);
    valid.token = "newer";
    await fetch("http://x");
    await fetch("http://x");
    expect(sent.slice(1)).toEqual(["Bearer newer", "Bearer newer"]);
  });

  it("sends no request with a session that has ended, or without one", async () => {
    const { fetch, sent, store } = scene();
    await expect(fetch("http://x")).rejects.toMatchObject({ code: "NEARAI_SESSION_MISSING" });
    await store("old", NOW - 1);
    await expect(fetch("http://x")).rejects.toMatchObject({
      code: "NEARAI_SESSION_RENEWAL_FAILED",
    });
    expect(sent).toEqual([]);
  });
});
