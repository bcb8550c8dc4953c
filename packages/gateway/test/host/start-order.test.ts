import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import type { OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { GatewayOptions } from "../../src/gateway-options.js";
import type { StartStep } from "../../src/host/start-sequence.js";
import { readLockHolder } from "../../src/index.js";
import { loadGatewayToken } from "../../src/state/token.js";
import { startTestGateway } from "../support/gateway.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const ORDER = [
  ...[
    "state folder",
    "lock",
    "log",
    "store",
    "settings",
    "secrets",
    "plugins",
    "gateway_pre_start",
  ],
  ...["services", "channels", "listener", "recovery", "gateway_start"],
];

/** Returns a plugin in the process of the test. */
function plugin(
  id: string,
  register: (api: OpenClawPluginApi) => void | Promise<void>,
): PluginDefinition {
  return { id, register };
}

/** Returns a free port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function answers(url: string): Promise<number | "refused"> {
  try {
    return (await fetch(url)).status;
  } catch {
    return "refused";
  }
}

describe("start of a gateway", () => {
  it("[GW-001] [HOST-001] locks, opens the store, loads plugins, boots, listens, and then tells plugins and starts services", async () => {
    using folder = temporaryFolder();
    const port = await freePort();
    const seen: unknown[] = [];
    const steps: string[] = [];
    const state = join(folder.path, "state");
    const url = `http://127.0.0.1:${port}/readyz`;
    const gateway = await startTestGateway(folder, {
      port,
      onStep: ({ name }) => void steps.push(name),
      inlinePlugins: [
        plugin("watch", (api) => {
          seen.push(["register", existsSync(join(state, "openclaw.db"))]);
          api.on("gateway_pre_start", async () => {
            const holder = await readLockHolder(join(state, "gateway.lock"));
            seen.push(["pre_start", holder?.pid === process.pid, holder?.port, await answers(url)]);
          });
          api.on("gateway_start", async ({ port: told }) => {
            seen.push(["start", told === port, (await answers(url)) !== "refused"]);
          });
          api.registerService({ id: "one", start: () => void seen.push("service") });
        }),
      ],
    });
    expect(steps).toEqual(ORDER);
    await vi.waitFor(() => expect(seen).toHaveLength(4));
    expect(seen.slice(0, 2)).toEqual([
      ["register", true],
      ["pre_start", true, undefined, "refused"],
    ]);
    expect(seen.slice(2)).toEqual(expect.arrayContaining([["start", true, true], "service"]));
    expect(await answers(url)).toBe(200);
    await gateway.stop("command");
  });

  it("[GW-001] connects channels after gateway_pre_start and before the listener, and receives their messages once it serves", async () => {
    using folder = temporaryFolder();
    const port = await freePort();
    const seen: string[] = [];
    let listener: unknown;
    folder.write({ "openclaw.json": '{ channels: { tower: { dmPolicy: "open" }, broken: {} } }' });
    const gateway = await startTestGateway(folder, {
      port,
      inlinePlugins: [
        plugin("tower", (api) => {
          api.on("gateway_pre_start", () => void seen.push("pre_start"));
          api.on("gateway_start", () => void seen.push("start"));
          api.on("message_received", ({ content }) => void seen.push(content));
          api.registerChannel({
            name: "tower",
            async *start({ signal, connected }) {
              seen.push("channel");
              listener = await answers(`http://127.0.0.1:${port}/readyz`);
              connected();
              const receivedAt = new Date();
              yield {
                id: randomUUID(),
                channel: "tower",
                userId: "ada",
                content: "over",
                receivedAt,
              };
              await new Promise((resolve) => signal.addEventListener("abort", resolve));
            },
            respond: async () => ({ messageId: "r1" }),
          });
        }),
        plugin("broken", (api) => {
          api.registerChannel({
            name: "broken",
            async *start() {
              yield await Promise.reject(new Error("no mast"));
            },
            respond: async () => ({ messageId: "r1" }),
          });
        }),
      ],
    });
    onTestFinished(() => gateway.stop("command"));
    await vi.waitFor(() => expect(seen).toHaveLength(4));
    expect(seen.slice(0, 2)).toEqual(["pre_start", "channel"]);
    expect(seen.slice(2)).toEqual(expect.arrayContaining(["start", "over"]));
    expect(listener).toBe("refused");
    const token = loadGatewayToken(gateway.state.tokenFile);
    const client = createGatewayClient({ url: gateway.url ?? "", token });
    await vi.waitFor(async () => {
      const { ready, checks } = await client.readiness();
      expect(ready).toBe(true);
      expect(checks.find(({ name }) => name === "channels")).toMatchObject({
        ok: false,
        detail: "broken: degraded",
      });
    });
  });

  it("[HOST-002] logs the duration of each step", async () => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder, { port: 0 });
    await gateway.stop("command");
    const lines = readFileSync(gateway.state.logFile, "utf8").trim().split("\n");
    const ready = lines.map((line) => JSON.parse(line)).find(({ msg }) => /is ready$/.test(msg));
    expect(ready.steps.replaceAll(/ \d+ ms/g, "")).toBe(ORDER.join(", "));
  });

  const damaged = "this is not a database, and long enough to be read as the header of one".repeat(
    99,
  );
  const failures: readonly {
    readonly step: StartStep["name"];
    readonly code: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly options?: Partial<GatewayOptions>;
  }[] = [
    { step: "state folder", code: "STATE_FOLDER_UNUSABLE", files: { state: "a file" } },
    { step: "store", code: "STORE_UNAVAILABLE", files: { "state/openclaw.db": damaged } },
    {
      step: "secrets",
      code: "CONFIG_INVALID",
      files: { "openclaw.json": `{ gateway: { auth: { token: "\${secret:MISSING}" } } }` },
    },
    {
      step: "gateway_pre_start",
      code: "HOOK_THREW",
      options: {
        inlinePlugins: [
          plugin("guard", (api) => {
            const refuse = () => Promise.reject(new Error("not today"));
            api.on("gateway_pre_start", refuse, { mode: "fail-closed" });
          }),
        ],
      },
    },
    { step: "services", code: "MODEL_NOT_FOUND", options: { model: "nobody/none" } },
  ];

  it.each(failures)(
    "[GW-001] [HOST-002] names the step $step when it fails, and undoes those before it",
    async ({ step, code, files = {}, options }) => {
      using folder = temporaryFolder();
      folder.write(files);
      const steps: StartStep[] = [];
      const starting = startTestGateway(folder, {
        ...{ port: 0, onStep: (ended) => void steps.push(ended) },
        ...options,
      });
      await expect(starting).rejects.toMatchObject({ code });
      expect(steps.map(({ name }) => name)).toEqual(ORDER.slice(0, ORDER.indexOf(step) + 1));
      expect(steps.at(-1)).toMatchObject({ name: step, error: { code } });
      if (step === "state folder") return;
      expect(await readLockHolder(join(folder.path, "state/gateway.lock"))).toBeUndefined();
      const log = join(folder.path, "state/logs/gateway.log");
      if (ORDER.indexOf(step) > ORDER.indexOf("log")) {
        expect(readFileSync(log, "utf8")).toContain(`the start failed at the step ${step}: `);
      }
    },
  );

  it("[GW-001] names the lock and the listener that another gateway has", async () => {
    using folder = temporaryFolder();
    const first = await startTestGateway(folder, { port: 0 });
    onTestFinished(() => first.stop("command"));
    const port = Number(new URL(first.url ?? "").port);
    using other = temporaryFolder();
    for (const [place, step] of [
      [folder, "lock"],
      [other, "listener"],
    ] as const) {
      const steps: StartStep[] = [];
      const onStep = (ended: StartStep) => void steps.push(ended);
      await expect(startTestGateway(place, { port, onStep })).rejects.toThrow();
      expect(steps.at(-1)?.name).toBe(step);
    }
  });

  it("[GW-001] [HOST-002] starts without a plugin that fails, and shows it in the readiness", async () => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder, {
      port: 0,
      inlinePlugins: [
        plugin("broken", () => Promise.reject(new Error("no key"))),
        plugin("sound", (api) => {
          api.registerService({ id: "late", start: () => Promise.reject(new Error("no device")) });
        }),
      ],
    });
    const response = await fetch(`${gateway.url}/readyz`);
    expect(response.status).toBe(200);
    const token = loadGatewayToken(gateway.state.tokenFile);
    const client = createGatewayClient({ url: gateway.url ?? "", token });
    const { checks } = await client.readiness();
    expect(checks.find(({ name }) => name === "plugins")).toMatchObject({
      ok: false,
      detail: "failed: broken",
    });
    await vi.waitFor(() => {
      const codes = gateway.plugins.diagnostics.map(({ code }) => code);
      expect(codes).toContain("service-failed");
    });
    expect(gateway.plugins.plugins.find(({ id }) => id === "sound")?.status).toBe("loaded");
    await gateway.stop("command");
  });

  it("[HOST-005] waits for a slow plugin only until its own deadline", async () => {
    using folder = temporaryFolder();
    folder.write({
      "openclaw.json": "{ plugins: { entries: { slow: { registerTimeoutMs: 50 } } } }",
    });
    const gateway = await startTestGateway(folder, {
      port: 0,
      inlinePlugins: [
        plugin("slow", () => new Promise(() => {})),
        plugin("waits", (api) => {
          api.on("gateway_start", () => new Promise(() => {}), { timeoutMs: 50 });
        }),
      ],
    });
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    const slow = gateway.plugins.plugins.find(({ id }) => id === "slow");
    expect(slow).toMatchObject({ status: "error", error: { code: "register-timeout" } });
    await gateway.stop("command");
  });
});

describe("health of a gateway whose plugins do not answer", () => {
  it("[GW-031] is served without them, with details for callers with the token only, and is unready without its store", async () => {
    using folder = temporaryFolder();
    let release = (): void => undefined;
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    const never = () => stuck;
    const gateway = await startTestGateway(folder, {
      port: 0,
      inlinePlugins: [
        plugin("stuck", (api) => {
          api.on("gateway_start", never, { timeoutMs: 60_000 });
          api.registerService({ id: "stuck", start: never });
          api.registerHttpRoute({ path: "/stuck", auth: "plugin", handler: never });
        }),
      ],
    });
    onTestFinished(() => gateway.stop("command"));
    const waiting = new AbortController();
    const hanging = fetch(`${gateway.url}/plugins/stuck/stuck`, { signal: waiting.signal });
    const authorization = `Bearer ${loadGatewayToken(gateway.state.tokenFile)}`;
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(gateway.url + path, { headers });
      return [response.status, await response.text()] as const;
    };
    expect((await get("/healthz"))[0]).toBe(200);
    const [status, shown] = await get("/readyz");
    expect(status).toBe(200);
    expect(shown).not.toContain("checks");
    const [, details] = await get("/readyz", { authorization });
    const names = JSON.parse(details).checks.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["store", "plugins", "channels", "models"]));
    expect((await get("/metrics"))[0]).toBe(401);
    expect((await get("/metrics", { authorization }))[0]).toBe(200);

    renameSync(gateway.state.databaseFile, `${gateway.state.databaseFile}.gone`);
    expect((await get("/readyz"))[0]).toBe(503);
    expect((await get("/healthz"))[0]).toBe(200);
    renameSync(`${gateway.state.databaseFile}.gone`, gateway.state.databaseFile);
    waiting.abort();
    await hanging.catch(() => undefined);
    // The stop need not wait for it until its own deadline.
    release();
  });
});
