import { expect, it } from "vitest";
import { newTrace, stepTrace, traceFields } from "../src/trace.js";
import { calling, plugin, tool, turnHost } from "./support/turn-host.js";

it("gives a step its own span below its parent's, the same at every request", () => {
  const turn = { ...newTrace(), sampled: true };
  expect(turn.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(turn.spanId).toMatch(/^[0-9a-f]{16}$/);
  const first = stepTrace(turn, "call-1");
  expect(first).toEqual({
    traceId: turn.traceId,
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    parentSpanId: turn.spanId,
    sampled: true,
  });
  expect(stepTrace(turn, "call-1")).toEqual(first);
  expect(stepTrace(turn, "call-2").spanId).not.toBe(first.spanId);
  const { traceId, spanId, parentSpanId } = first;
  expect(traceFields(first)).toEqual({ trace: first, traceId, spanId, parentSpanId });
});

it("[TURN-033] gives the hooks around a call one trace, a step of the turn's trace", async () => {
  const seen: { hook: string; traceId?: string | undefined; spanId?: string | undefined }[] = [];
  const host = await turnHost({
    script: [calling("work"), { text: "done" }],
    coreTools: [tool("work")],
    plugins: [
      plugin("reader", (api) => {
        api.registerHook(
          ["before_prompt_build", "before_tool_call", "after_tool_call", "tool_result_persist"],
          (_event, { hookName, traceId, spanId }) => {
            seen.push({ hook: hookName, traceId, spanId });
            return undefined;
          },
        );
      }),
    ],
  });
  const trace = newTrace();
  await host.run({ trace });
  expect(new Set(seen.map(({ traceId }) => traceId))).toEqual(new Set([trace.traceId]));
  const [turn, ...call] = seen.map(({ spanId }) => spanId);
  expect(call).toHaveLength(3);
  expect(new Set(call).size).toBe(1);
  expect(call[0]).not.toBe(turn);
});
