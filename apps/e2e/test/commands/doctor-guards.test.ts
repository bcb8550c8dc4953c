import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const sources = globSync("{packages,extensions,apps}/*/src/**/*.ts", { cwd: root }).sort();

/** The sources that contain a call. */
function callersOf(call: RegExp): string[] {
  return sources.filter((file) => call.test(readFileSync(join(root, file), "utf8")));
}

describe("tool call paths", () => {
  // Add the path of a new caller to TOOL_PATHS of the gateway, so that the proof covers it.
  it.each([
    ["a tool's own code", /\.tool\.execute\(/, ["packages/agent/src/tool-call/execution.ts"]],
    [
      "the execution of a tool",
      /\bexecuteTool\(/,
      // What the message of an owner names is authorized like every call, without asking for approval (EXT-365).
      ["tool-call/execution.ts", "tool-call/pipeline.ts", "turn/mentioned-resources.ts"],
    ],
    [
      "an authorization",
      /\bauthorizeToolCall\(/,
      ["tool-call/authorize.ts", "tool-call/intended-call.ts", "turn/mentioned-resources.ts"],
    ],
    [
      "the one path",
      /\bcallTool\(call/,
      ["tool-call/batch.ts", "tool-call/nested.ts", "tool-call/pipeline.ts", "turn/tool-run.ts"],
    ],
    ["a batch of calls", /\bcallTools\(/, ["turn/model-loop.ts", "tool-call/batch.ts"]],
    ["the model loop", /\brunModelLoop\(/, ["turn/model-loop.ts", "turn/turn.ts"]],
    [
      "a turn",
      /\brunTurn\(/,
      [
        "packages/agent/src/replay/replay.ts",
        "packages/agent/src/turn/turn.ts",
        "packages/messaging/src/turns/execution.ts",
      ],
    ],
    [
      "a replay",
      /\breplay(?:Whole)?Turn[()]/,
      ["packages/agent/src/replay/replay.ts", "packages/gateway/src/diagnostics/run-replay.ts"],
    ],
    [
      "a call without a model",
      /\brunTool\(/,
      [
        // The page calls a method of the gateway.
        "apps/control-ui/src/views/plugins/tools.ts",
        "packages/agent/src/turn/tool-run.ts",
        "packages/gateway/src/diagnostics/guard-proof-paths.ts",
        "packages/gateway/src/host/tools/session.ts",
        "packages/plugin-testkit/src/host/running-test-host.ts",
      ],
    ],
    [
      "a call of a plugin without a model",
      /\binvokeTool\(/,
      [
        "extensions/wasm/src/tools/nested.ts",
        "extensions/wasm/src/tools/tool.ts",
        "packages/agent/src/turn/tool-run.ts",
        "packages/gateway/src/host/host.ts",
        "packages/gateway/src/host/tools/session.ts",
        "packages/gateway/src/plugins/ports/agents.ts",
        "packages/plugin-runtime/src/api/full-session-keys.ts",
        "packages/plugin-runtime/src/api/tool-invocation.ts",
        "packages/wasm-host/src/host/tool-host.ts",
      ],
    ],
    ["calls within a tool", /\bnew NestedCalls\(/, ["turn/tools.ts"]],
  ])("[TURN-031] are complete: %s", (_what, call, callers) => {
    const full = callers.map((file) =>
      /^(?:apps|extensions|packages)\//.test(file) ? file : `packages/agent/src/${file}`,
    );
    expect(callersOf(call)).toEqual(full.sort());
  });
});

describe("openclaw doctor guards --prove", () => {
  it("[TURN-031] sends a canary call on every path and reports its outcome", async () => {
    using place = emptyPlace();
    const proof = await openclaw(["doctor", "guards", "--prove", "--json"], place);
    expect(proof.stderr).toBe("");
    expect(proof.exitCode).toBe(0);
    const { proven, results } = JSON.parse(proof.stdout);
    expect(proven).toBe(true);
    expect(new Set(results.map(({ path }: { path: string }) => path))).toEqual(
      new Set([
        ...["core", "plugin", "mcp", "wasm", "client", "subagent", "job", "cron"],
        ...["invoked", "nested", "resumed", "replayed", "mentioned"],
      ]),
    );
  }, 60_000);
});
