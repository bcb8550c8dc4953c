import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { JournalEntry, JournalStep } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { runSteps } from "../../src/diagnostics/run-steps.js";

const RUN = { runId: "run-1", traceId: "t", spanId: "run" };

function journal(...steps: JournalStep[]): JournalEntry[] {
  return steps.map((step, index) => ({
    runId: "run-1",
    seq: index + 1,
    step,
    createdAt: 1000 + index * 10,
  }));
}

const spansOf = (...steps: JournalStep[]) =>
  runSteps(RUN, "message", { entries: journal(...steps), decisions: [], refusals: [], notes: [] });

const requested: JournalStep = {
  kind: "model-requested",
  callId: "call",
  model: "demo/echo",
  digest: "digest",
  messageCount: 2,
};

const answered = (...toolCallIds: string[]): JournalStep => ({
  kind: "model-answered",
  callId: "call",
  message: {
    role: "assistant",
    content: toolCallIds.map((toolCallId) => ({
      type: "toolCall",
      toolCallId,
      toolName: "exec",
      params: {},
    })),
    provider: "demo",
    model: "echo",
    stopReason: "tool-calls",
    timestamp: 0,
  },
});

describe("runSteps", () => {
  it("[MEM-039] says at the prepared turn why the memory could not be searched", () => {
    const prepared = (asked: JsonObject): JournalStep => ({
      kind: "turn-prepared",
      model: "demo/echo",
      prompt: { system: "", user: "tea?" },
      history: {},
      holdsInjections: false,
      generation: 1,
      configRevision: "r",
      asked,
    });
    const summaries = (asked: JsonObject) => spansOf(prepared(asked)).map(({ summary }) => summary);
    expect(summaries({})).toEqual(["prompt prepared for demo/echo"]);
    expect(summaries({ recallProblem: "it took longer than 2000 ms" })).toEqual([
      "prompt prepared for demo/echo; the memory could not be searched: it took longer than 2000 ms",
    ]);
  });

  it("puts an approval request and its decision in the span of its call", () => {
    const asked: JournalStep = {
      kind: "approval-asked",
      toolCallId: "a",
      toolName: "exec",
      title: "Run it?",
    };
    const decided: JournalStep = {
      kind: "approval-decided",
      toolCallId: "a",
      decision: "allow-once",
    };
    const spans = spansOf(requested, answered("a"), asked, decided);
    const tool = spans.find(({ kind }) => kind === "tool");
    expect(spans.find(({ kind }) => kind === "approval")).toMatchObject({
      parentSpanId: tool?.spanId,
      name: "Run it?",
      summary: "allow-once",
      at: 1020,
      durationMs: 10,
      status: "ok",
    });
    const [open] = spansOf(requested, answered("a"), asked).filter(
      ({ kind }) => kind === "approval",
    );
    expect(open).toMatchObject({ status: "open", summary: "pending" });
    expect(open).not.toHaveProperty("durationMs");
  });

  it("are in the order of the journal, whatever their kind", () => {
    const prepared: JournalStep = { kind: "message-dropped", role: "user" };
    const intended: JournalStep = {
      kind: "tool-intended",
      toolCallId: "b",
      toolName: "exec",
      params: {},
    };
    const spans = spansOf(prepared, requested, answered("a", "b"), intended, prepared);
    expect(spans.map(({ kind, attributes }) => attributes.toolCallId ?? kind)).toEqual([
      "step",
      "model",
      "a",
      "b",
      "step",
    ]);
  });

  it("reports errors and unfinished steps", () => {
    const failed: JournalStep = {
      kind: "model-failed",
      callId: "call",
      error: { code: "MODEL_OVERLOADED", message: "try later" },
    };
    expect(spansOf(requested, failed)).toMatchObject([
      {
        kind: "model",
        status: "error",
        summary: "2 messages → try later",
        durationMs: 10,
        attributes: { errorCode: "MODEL_OVERLOADED" },
      },
    ]);
    expect(spansOf(requested)).toMatchObject([{ status: "open", summary: "2 messages" }]);
    const running = spansOf(requested, answered("a"), {
      kind: "tool-intended",
      toolCallId: "a",
      toolName: "exec",
      params: {},
    });
    expect(running.find(({ kind }) => kind === "tool")).toMatchObject({
      status: "open",
      summary: "no result",
      attributes: { ran: true },
    });
    const reply: JournalStep = { kind: "reply-stored", outboxId: "o", part: 0 };
    expect(spansOf(reply)).toMatchObject([
      { parentSpanId: "message", status: "open", summary: "not delivered yet" },
    ]);
    expect(
      spansOf(reply, { kind: "part-settled", outboxId: "o", part: 0, state: "failed" }),
    ).toMatchObject([{ status: "error", summary: "failed" }]);
  });

  it("reports the other steps of a turn", () => {
    const spans = spansOf(
      { kind: "turn-resumed", generation: 2, configRevision: "c" },
      { kind: "message-dropped", role: "user" },
      { kind: "message-steered", steeredRunId: "run-2", text: "and more" },
      { kind: "conversation-shortened", history: {} },
      { kind: "answer-revised", instruction: "more", keys: [] },
    );
    expect(spans.map(({ kind, summary }) => `${kind}: ${summary}`)).toEqual([
      "step: resumed with plugin generation 2",
      "step: a plugin kept a user message out of the transcript",
      "step: included the message of run run-2",
      "step: the conversation was shortened",
      "step: plugins requested a revision of the reply",
    ]);
  });
});
