import { expect, it } from "vitest";
import { callEnd } from "../../src/runs/tool-call.js";

it.each([
  ["Unknown tool: count", "see `openclaw policy explain count`"],
  [
    "Tool count is not allowed here (optional: not enabled)",
    "allow it with tools.alsoAllow, or see `openclaw policy explain count` for the rule",
  ],
])("[JOB-505] a call that is denied with %j names the next step", (text, next) => {
  const content = [{ type: "text", text }] as const;
  const result = { status: "denied", toolCallId: "call", decider: "policy", content } as const;
  const end = callEnd({ kind: "tool", tool: "count" }, result, undefined);
  expect(end).toMatchObject({ state: "failed", reason: expect.stringContaining(text) });
  expect(end.reason).toContain(next);
});
