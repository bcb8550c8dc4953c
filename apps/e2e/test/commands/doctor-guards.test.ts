import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const sources = globSync("{packages,extensions,apps}/*/src/**/*.ts", { cwd: root }).sort();

/** The sources that contain a call. */
function callersOf(call: RegExp): string[] {
  return sources.filter((file) => call.test(readFileSync(join(root, file), "utf8")));
}

describe("the ways that calls take to tools", () => {
  // Whoever adds a caller adds its way to TOOL_PATHS of the gateway, so that the proof takes it too.
  it.each([
    ["a tool's own code", /\.tool\.execute\(/, ["packages/agent/src/tool-execution.ts"]],
    ["the execution of a tool", /\bexecuteTool\(/, ["tool-execution.ts", "tool-path.ts"]],
    ["the one path", /\bcallTool\(call/, ["tool-batch.ts", "tool-path.ts", "tool-run.ts"]],
    ["a batch of calls", /\bcallTools\(/, ["model-loop.ts", "tool-batch.ts"]],
    ["the model loop", /\brunModelLoop\(/, ["model-loop.ts", "turn.ts"]],
    [
      "a turn",
      /\brunTurn\(/,
      [
        "packages/agent/src/replay.ts",
        "packages/agent/src/turn.ts",
        "packages/gateway/src/turn-run.ts",
      ],
    ],
    [
      "a replay",
      /\breplayTurn\(/,
      ["packages/agent/src/replay.ts", "packages/gateway/src/run-replay.ts"],
    ],
    [
      "a call without a model",
      /\brunTool\(/,
      [
        "packages/agent/src/tool-run.ts",
        "packages/gateway/src/guard-proof-paths.ts",
        "packages/plugin-testkit/src/running-test-host.ts",
      ],
    ],
  ])("[TURN-031] are known: %s", (_what, call, callers) => {
    const full = callers.map((file) => (file.includes("/") ? file : `packages/agent/src/${file}`));
    expect(callersOf(call)).toEqual(full.sort());
  });
});

describe("openclaw doctor guards --prove", () => {
  it("[TURN-031] sends a canary down every way, and says what became of it", async () => {
    using place = emptyPlace();
    const proof = await openclaw(["doctor", "guards", "--prove", "--json"], place);
    expect(proof.stderr).toBe("");
    expect(proof.exitCode).toBe(0);
    const { proven, results } = JSON.parse(proof.stdout);
    expect(proven).toBe(true);
    expect(new Set(results.map(({ path }: { path: string }) => path))).toEqual(
      new Set(["core", "plugin", "subagent", "invoked", "resumed", "replayed"]),
    );
  }, 60_000);
});
