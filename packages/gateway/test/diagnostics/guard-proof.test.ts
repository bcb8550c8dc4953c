import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, vi } from "vitest";
import { GUARDS, PLUGIN_PROBE } from "../../src/diagnostics/guard-canary.js";
import { proveGuards } from "../../src/diagnostics/guard-proof.js";
import type { GuardProofOptions } from "../../src/diagnostics/guard-proof-host.js";
import { TOOL_PATHS, type ToolPath } from "../../src/diagnostics/guard-proof-paths.js";

// Every denial is activated in a separate host.
vi.setConfig({ testTimeout: 60_000 });

function options(changes: Partial<GuardProofOptions> = {}): GuardProofOptions {
  return {
    version: "1.0.0",
    configuration: { value: {}, file: undefined, warnings: [], locate: () => undefined },
    workspaceDir: temporaryFolder().path,
    bundledExtensions: [],
    environment: {},
    ...changes,
  };
}

describe("proveGuards", () => {
  it("[TURN-031] [APPR-005] [DHOOK-004] finds every guard respected on every path that calls take", async () => {
    const { proven, results } = await proveGuards(options());
    expect(results.filter(({ status }) => status !== "denied")).toEqual([]);
    expect(proven).toBe(true);
    const ways = results.map(({ path, guard, deniedBy }) => `${path} ${guard} ${deniedBy}`);
    expect(ways).toEqual([
      "core policy policy:global",
      "core trusted-policy plugin:guard-canary/guard-canary",
      "core hook plugin:guard-canary",
      "plugin policy policy:global",
      "plugin trusted-policy plugin:guard-canary/guard-canary",
      "plugin hook plugin:guard-canary",
      "mcp policy policy:global",
      "mcp trusted-policy plugin:guard-canary/guard-canary",
      "mcp hook plugin:guard-canary",
      "wasm policy policy:global",
      "wasm trusted-policy plugin:guard-canary/guard-canary",
      "wasm hook plugin:guard-canary",
      "client policy policy",
      "client trusted-policy plugin:guard-canary/guard-canary",
      "client hook plugin:guard-canary",
      "subagent policy policy:global",
      "subagent trusted-policy plugin:guard-canary/guard-canary",
      "subagent hook plugin:guard-canary",
      "job policy policy:global",
      "job trusted-policy plugin:guard-canary/guard-canary",
      "job hook plugin:guard-canary",
      "cron policy policy:global",
      "cron trusted-policy plugin:guard-canary/guard-canary",
      "cron hook plugin:guard-canary",
      "invoked policy policy:global",
      "invoked trusted-policy plugin:guard-canary/guard-canary",
      "invoked hook plugin:guard-canary",
      "nested policy policy:global",
      "nested trusted-policy plugin:guard-canary/guard-canary",
      "nested hook plugin:guard-canary",
      "mentioned trusted-policy plugin:guard-canary/guard-canary",
      "mentioned hook plugin:guard-canary",
      "resumed policy policy:global",
      "resumed trusted-policy plugin:guard-canary/guard-canary",
      "replayed trusted-policy replay",
      "replayed hook replay",
    ]);
  });

  it("fails when a path lets a denied call through, and names the path", async () => {
    const leaky: ToolPath = {
      title: "a way beside the one path",
      tool: PLUGIN_PROBE,
      guards: ["hook"],
      async send({ host, canary }) {
        canary.armed = "hook";
        const [offered] = host.plugins.current.tools.filter(({ names }) =>
          names.includes(PLUGIN_PROBE),
        );
        if (typeof offered?.tool !== "object") throw new Error("the probe is not offered");
        await offered.tool.execute(
          "call",
          canary.params as never,
          new AbortController().signal,
          () => {},
        );
        return undefined;
      },
    };
    const { core } = TOOL_PATHS;
    const { proven, results } = await proveGuards(options(), { core, leaky });
    expect(proven).toBe(false);
    expect(results.map(({ path, status }) => `${path} ${status}`)).toEqual([
      ...GUARDS.map(() => "core denied"),
      "leaky let-through",
    ]);
  });

  it("fails when the canary does not reach a path", async () => {
    const { core } = TOOL_PATHS;
    const gate = {
      id: "gate",
      register: (api: { on: (hook: "before_agent_run", handler: () => object) => void }) =>
        api.on("before_agent_run", () => ({ outcome: "block" })),
    };
    const { proven, results } = await proveGuards(options({ inlinePlugins: [gate as never] }), {
      core: { ...core, guards: ["hook"] },
    });
    expect(proven).toBe(false);
    expect(results).toMatchObject([{ path: "core", guard: "hook", status: "not-reached" }]);
  });
});
