import type { NestedToolResult } from "@openclaw/plugin-sdk/tools";
import { expect, it } from "vitest";
import { FAILURE_TYPES } from "../src/envelope/envelope.js";
import { LobsterError } from "../src/errors.js";
import { failureOf } from "../src/lobster.js";
import { createPerformer } from "../src/run/effects.js";

it("[LOB-008] gives a failure of each type its message and its step", () => {
  expect(FAILURE_TYPES).toHaveLength(9);
  for (const type of FAILURE_TYPES) {
    expect(failureOf(new LobsterError(type, "It failed.", "build"))).toEqual({
      protocolVersion: 1,
      ok: false,
      error: { type, message: "It failed.", step: "build" },
    });
  }
  const timeout = new DOMException("The operation timed out.", "TimeoutError");
  expect(failureOf(timeout).error.type).toBe("timeout");
});

it("[LOB-008] shows no stack and no path outside the workspace of an unexpected failure", () => {
  for (const [message, shown] of [
    [
      "ENOENT: no such file or directory, open '/home/alice/.ssh/id_ed25519'",
      "ENOENT: no such file or directory, open 'id_ed25519'",
    ],
    ["cannot load file:///srv/openclaw/node_modules/x/index.js", "cannot load index.js"],
    ["boom\n    at run (/srv/openclaw/dist/run.js:1:2)\n    at main", "boom"],
    ["see https://example.org/a/b.html", "see https://example.org/a/b.html"],
  ] as const) {
    const { error } = failureOf(new Error(message));
    expect(error).toEqual({ type: "runtime_error", message: shown });
  }
  expect(failureOf("plain").error.message).toBe("plain");
});

function result(status: NestedToolResult["status"]): NestedToolResult {
  const content = [{ type: "text" as const, text: "{}" }];
  const toolCallId = "n";
  return status === "denied"
    ? { status, toolCallId, content, decider: "policy:global", decisionId: "d-1" }
    : { status, toolCallId, content };
}

it.each(["ok", "failed", "denied", "thrown"] as const)(
  "[LOB-034] reports start and end of a step with its status and its time: %s",
  async (outcome) => {
    const reported: unknown[] = [];
    const perform = createPerformer({
      toolCallId: "call-1",
      workspaceDir: "/work",
      timeoutMs: 1000,
      onStep: (step, status, ms) => reported.push({ step, status, isTime: ms >= 0 }),
      async callTool() {
        if (outcome === "thrown") throw new Error("the host stopped");
        return result(outcome);
      },
    });
    const control = {
      signal: new AbortController().signal,
      pause: () => undefined,
      resume: () => undefined,
    };
    const performed = perform({ type: "tool", tool: "echo", params: {} }, "say", control);
    if (outcome === "thrown") await expect(performed).rejects.toThrow("the host stopped");
    else await performed;
    const status = outcome === "thrown" ? "failed" : outcome;
    expect(reported).toEqual([
      { step: "say", status: "started", isTime: true },
      { step: "say", status, isTime: true },
    ]);
  },
);

it.each([
  ["a whole output is its value", undefined, { ok: true, value: { exitCode: 0, output: "1\n2" } }],
  [
    "a shortened output is a failure without any of it",
    true,
    { ok: false, message: expect.stringMatching(/64 KiB, of which the middle is lost/) },
  ],
] as const)("[LOB-016] of a command %s", async (_, truncated, expected) => {
  const perform = createPerformer({
    toolCallId: "call-1",
    workspaceDir: "/work",
    timeoutMs: 1000,
    onStep: () => undefined,
    callTool: async () => ({
      ...result("ok"),
      details: { exitCode: 0, output: "1\n2", ...(truncated && { truncated }) },
    }),
  });
  const control = {
    signal: new AbortController().signal,
    pause: () => undefined,
    resume: () => undefined,
  };
  const command = { type: "exec", command: { line: "seq 2" }, cwd: ".", env: {} } as const;
  expect(await perform(command, "count", control)).toEqual(expected);
});
