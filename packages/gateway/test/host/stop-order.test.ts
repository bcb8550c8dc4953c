import { readFileSync } from "node:fs";
import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import { describe, expect, it, vi } from "vitest";
import { readLockHolder } from "../../src/index.js";
import { loadGatewayToken } from "../../src/state/token.js";
import { gate } from "../support/gate.js";
import { startTestGateway } from "../support/gateway.js";
import { message } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe("stop of a gateway", () => {
  it("[GW-009] [HOST-026] is not ready, tells plugins, ends turns and sessions, and stops services and the store, in this order", async () => {
    using folder = temporaryFolder();
    const [asked, answer] = [gate(), gate()];
    const model = createScriptedModel(() => {
      asked.pass();
      return { text: "in time", waitFor: answer.passed };
    });
    const seen: unknown[] = [];
    let url = "";
    const status = async () => (await fetch(`${url}/readyz`)).status;
    const gateway = await startTestGateway(folder, {
      port: 0,
      model: "scripted/script",
      inlinePlugins: [
        {
          id: "watch",
          register(api) {
            api.registerProvider(scriptedProvider(model));
            api.on("gateway_pre_stop", async ({ reason, deadlineMs }) => {
              seen.push(["pre_stop", reason, deadlineMs, await status()]);
            });
            api.on("message_sent", () => void seen.push("reply sent"));
            api.on("session_end", ({ reason }) => void seen.push(["session_end", reason]));
            api.on("gateway_stop", async () => {
              const holder = await readLockHolder(gateway.state.lockFile);
              seen.push(["stop", holder?.pid === process.pid]);
            });
            const stop = (id: string) => () => void seen.push(`service ${id}`);
            for (const id of ["first", "second"]) {
              api.registerService({ id, start: () => {}, stop: stop(id) });
            }
          },
        },
      ],
    });
    url = gateway.url ?? "";
    const reply = gateway.receive(message("hello"));
    await asked.passed;
    const stopping = gateway.stop("signal");
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    // The turn ends while the gateway drains.
    answer.pass();
    expect(await reply).toMatchObject({ status: "replied", text: "in time" });
    await stopping;
    expect(seen.filter((each) => each !== "reply sent")).toEqual([
      ["pre_stop", "signal", 5000, 503],
      ["session_end", "shutdown"],
      ["stop", true],
      "service second",
      "service first",
    ]);
    const client = createGatewayClient({ url, token: loadGatewayToken(gateway.state.tokenFile) });
    expect(await client.alive()).toBe(false);
    expect(await readLockHolder(gateway.state.lockFile)).toBeUndefined();
    expect(readFileSync(gateway.state.logFile, "utf8")).toContain("OpenClaw has stopped");
  });

  it("[GW-009] [HOST-026] takes at most gateway.shutdownTimeoutMs, whatever plugins do", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": "{ gateway: { shutdownTimeoutMs: 1000 } }" });
    const never = () => new Promise<never>(() => {});
    const seen: string[] = [];
    const gateway = await startTestGateway(folder, {
      port: 0,
      inlinePlugins: [
        {
          id: "hangs",
          register(api) {
            api.on("gateway_pre_stop", () => {
              seen.push("pre_stop");
              return never();
            });
            api.on("gateway_stop", () => {
              seen.push("stop");
              return never();
            });
            api.registerService({ id: "hangs", start: () => {}, stop: never });
            api.lifecycle.onDispose(never);
          },
        },
      ],
    });
    await gateway.receive(message("hello"));
    // The default of 20 s would outlast the deadline of this test.
    await gateway.stop("signal");
    expect(seen).toEqual(["pre_stop", "stop"]);
    expect(await readLockHolder(gateway.state.lockFile)).toBeUndefined();
  }, 15_000);
});

describe("hooks about start and stop", () => {
  it("[GW-010] have the configuration, the workspace, the port, and a signal that aborts at the stop", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": "{ gateway: { limits: { requestsPerMinute: 77 } } }" });
    const seen: unknown[] = [];
    const note = (name: string, context: object) => {
      const { config, workspaceDir, port, abortSignal } = Object(context);
      const limits = config?.gateway?.limits;
      seen.push([name, limits, workspaceDir, port, abortSignal?.aborted]);
    };
    const gateway = await startTestGateway(folder, {
      port: 0,
      inlinePlugins: [
        {
          id: "watch",
          register(api) {
            api.on("gateway_start", (_event, context) => note("start", context));
            api.on("gateway_stop", (_event, context) => note("stop", context));
          },
        },
      ],
    });
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    await gateway.stop("command");
    const port = Number(new URL(gateway.url ?? "").port);
    const workspace = `${folder.path}/workspace`;
    expect(seen).toEqual([
      ["start", { requestsPerMinute: 77 }, workspace, port, false],
      ["stop", { requestsPerMinute: 77 }, workspace, port, true],
    ]);
  });

  it("[GW-010] start services after gateway_start, and accept late hooks for the next dispatch and late tools for the next turn", async () => {
    using folder = temporaryFolder();
    const offered: string[][] = [];
    const model = createScriptedModel(({ tools = [] }) => {
      offered.push(tools.map(({ name }) => name));
      return { text: "ok" };
    });
    const seen: string[] = [];
    let registerLate = () => {};
    const gateway = await startTestGateway(folder, {
      port: 0,
      model: "scripted/script",
      inlinePlugins: [
        {
          id: "late",
          register(api) {
            api.registerProvider(scriptedProvider(model));
            api.on("gateway_start", () => void seen.push("gateway_start"));
            api.registerService({ id: "service", start: () => void seen.push("service") });
            registerLate = () => {
              api.on("message_received", ({ content }) => void seen.push(`heard ${content}`));
              api.registerTool({
                name: "late_tool",
                description: "Does nothing.",
                parameters: { type: "object", properties: {} },
                execute: async () => ({ content: [{ type: "text", text: "" }] }),
              });
            };
          },
        },
      ],
    });
    await vi.waitFor(() => expect(seen).toEqual(["gateway_start", "service"]));
    await gateway.receive(message("one"));
    registerLate();
    await gateway.receive(message("two"));
    expect(seen.slice(2)).toEqual(["heard two"]);
    expect(offered.map((names) => names.includes("late_tool"))).toEqual([false, true]);
    const codes = gateway.plugins.diagnostics.map(({ code }) => code);
    expect(codes.filter((code) => code === "late-registration")).toHaveLength(2);
    await gateway.stop("command");
  });
});
