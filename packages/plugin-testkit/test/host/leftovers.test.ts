import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { watch } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTestHost, PluginLeftoversError } from "../../src/index.js";

/** Leftovers of a test's plugin, closed after the test. */
const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function disposeOf(register: (api: OpenClawPluginApi) => unknown): Promise<unknown> {
  const host = await createTestHost({
    plugin: {
      id: "leaky",
      async register(api) {
        await register(api);
      },
    },
  });
  return host.dispose().then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** A server that a plugin may connect to. */
const listening = { port: 0 };
const peer = createServer((socket) => void socket.on("error", () => undefined).resume());
beforeAll(async () => {
  peer.listen(0, "127.0.0.1");
  await once(peer, "listening");
  const address = peer.address();
  if (typeof address === "object" && address !== null) listening.port = address.port;
});
afterAll(() => void peer.close());

const LEAKS: Record<string, [kind: string, leak: () => () => unknown]> = {
  timer: [
    "a timer",
    () => {
      const timer = setInterval(() => {}, 1000);
      return () => clearInterval(timer);
    },
  ],
  "timer that does not hold the process": [
    "a timer",
    () => {
      const timer = setTimeout(() => {}, 60_000).unref();
      return () => clearTimeout(timer);
    },
  ],
  "wait that never ends": [
    "a timer",
    () => {
      const ending = new AbortController();
      wait(60_000, undefined, { signal: ending.signal }).catch(() => undefined);
      return () => ending.abort();
    },
  ],
  server: [
    "a server",
    () => {
      const server = createServer().listen(0, "127.0.0.1");
      return () => new Promise((resolve) => server.close(resolve));
    },
  ],
  "file watcher": [
    "a file watcher",
    () => {
      const watcher = watch(import.meta.dirname);
      return () => watcher.close();
    },
  ],
  "worker thread": [
    "a worker thread",
    () => {
      const worker = new Worker("setInterval(() => {}, 1000)", { eval: true });
      return () => worker.terminate();
    },
  ],
  connection: [
    "a connection",
    () => {
      const socket = connect(listening.port, "127.0.0.1").on("error", () => undefined);
      return () => socket.destroy();
    },
  ],
  "datagram socket": [
    "a datagram socket",
    () => {
      const socket = createSocket("udp4").bind(0, "127.0.0.1");
      return () => new Promise<void>((resolve) => socket.close(resolve));
    },
  ],
  "child process": [
    "a child process",
    () => {
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      return async () => {
        child.kill("SIGKILL");
        await once(child, "close");
      };
    },
  ],
  listener: [
    'a listener of process "SIGUSR2"',
    () => {
      const listener = () => {};
      process.on("SIGUSR2", listener);
      return () => process.off("SIGUSR2", listener);
    },
  ],
};

describe("leftover detection", { timeout: 30_000 }, () => {
  it.each(Object.keys(LEAKS))(
    "[SDK-028] fails the test and names the place for a %s",
    async (name) => {
      const [kind, leak] = LEAKS[name] ?? ["", () => () => undefined];
      const failure = await disposeOf(() => endings.push(leak()));
      if (!PluginLeftoversError.isInstance(failure)) throw failure;
      const { leftovers } = failure;
      expect(leftovers.map((leftover) => leftover.kind)).toContain(kind);
      const place = leftovers.find((leftover) => leftover.kind === kind)?.place;
      expect(place).toMatch(/leftovers\.test\.ts:\d+:\d+$/);
      expect(failure.message).toContain(`${kind}, made at`);
    },
  );

  it("[SDK-028] includes what a handler starts later, in a turn or by a callback", async () => {
    const host = await createTestHost({
      plugin: {
        id: "late",
        register(api) {
          api.on("before_prompt_build", async () => {
            await wait(1);
            const timer = setInterval(() => {}, 1000);
            endings.push(() => clearInterval(timer));
            return undefined;
          });
        },
      },
    });
    await host.turn("hello");
    await expect(host.dispose()).rejects.toMatchObject({
      code: "PLUGIN_LEFTOVERS",
      leftovers: [{ kind: "a timer" }],
    });
  });

  it("[SDK-028] never finds a registration: the host rejects late ones", async () => {
    const host = await createTestHost({
      plugin: {
        id: "late",
        register(api) {
          api.lifecycle.onDispose(() => api.on("message_sent", () => undefined));
        },
      },
    });
    await host.dispose();
    expect(host.logs.at(-1)?.message).toMatch(/called api\.on after it was unloaded/);
  });

  it("[SDK-028] finds nothing when the plugin releases what it opened", async () => {
    const failure = await disposeOf((api) => {
      for (const [, leak] of Object.values(LEAKS)) {
        const end = leak();
        api.lifecycle.onDispose(async () => {
          await end();
        });
      }
    });
    expect(failure).toBeUndefined();
  });

  it("ignores what the test or another host started", async () => {
    const own = setInterval(() => {}, 1000);
    endings.push(() => clearInterval(own));
    await using other = await createTestHost({
      plugin: { id: "other", register: () => undefined },
    });
    const failure = await disposeOf(() => undefined);
    expect(failure).toBeUndefined();
    expect(other.plugin.id).toBe("other");
  });
});
