import type { NestedToolCall, NestedToolResult } from "@openclaw/plugin-sdk/tools";
import { expect, it, onTestFinished, vi } from "vitest";
import { RunClock } from "../../src/run/clock.js";
import { createPerformer } from "../../src/run/effects.js";

it("[LOB-014] does not elapse while it is paused", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const expired = vi.fn();
  const clock = new RunClock(1000, expired);
  vi.advanceTimersByTime(600);
  clock.pause();
  clock.pause();
  vi.advanceTimersByTime(60_000);
  clock.resume();
  vi.advanceTimersByTime(60_000);
  clock.resume();
  vi.advanceTimersByTime(399);
  expect(expired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(expired).toHaveBeenCalledOnce();
  clock.stop();
});

it("[LOB-013] [LOB-014] pauses the run while a call waits for its approval, and names step and decision", async () => {
  const order: string[] = [];
  const calls: NestedToolCall[] = [];
  const perform = createPerformer({
    toolCallId: "call-1",
    workspaceDir: "/work",
    timeoutMs: 1000,
    onStep: (step, status) => order.push(`${step} ${status}`),
    callTool: async (call): Promise<NestedToolResult> => {
      calls.push(call);
      call.onApprovalPending?.("approval-1");
      order.push("waits");
      call.onApprovalSettled?.();
      const content = [{ type: "text" as const, text: "not allowed" }];
      return {
        status: "denied",
        toolCallId: "n",
        content,
        decider: "policy:global",
        decisionId: "d-1",
      };
    },
  });
  const result = await perform(
    {
      type: "exec",
      command: { argv: ["echo", "it's"] },
      cwd: "/work/sub",
      env: { A: "1" },
      input: "x'y",
    },
    "say",
    {
      signal: new AbortController().signal,
      pause: () => order.push("pause"),
      resume: () => order.push("resume"),
    },
  );
  expect(order).toEqual(["say started", "pause", "waits", "resume", "say denied"]);
  expect(result).toEqual({ ok: false, fatal: true, message: "not allowed (decision d-1)" });
  expect(calls).toMatchObject([
    {
      parentToolCallId: "call-1",
      parentStepId: "say",
      tool: "exec",
      params: {
        // The input is part of the command that approvers see.
        command: "printf %s 'x'\\''y' | {\necho 'it'\\''s'\n}",
        workdir: "sub",
        timeoutMs: 1000,
        env: { A: "1" },
      },
    },
  ]);
});
