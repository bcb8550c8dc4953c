import type { JournalStep } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { TurnRecordError } from "../../src/errors.js";
import { ResumeState } from "../../src/journal/resume-state.js";

const REQUESTED = {
  kind: "model-requested",
  callId: "call",
  model: "scripted/script",
  digest: "d",
  messageCount: 1,
} as const;
const ANSWERED: JournalStep = {
  kind: "model-answered",
  callId: "call",
  message: {
    role: "assistant",
    content: [],
    provider: "scripted",
    model: "script",
    stopReason: "stop",
    timestamp: 1,
  },
};

/** The resume state of a run that took these steps. */
function recorded(...steps: JournalStep[]): ResumeState {
  return new ResumeState(
    "run-1",
    steps.map((step, index) => ({ runId: "run-1", seq: index + 1, createdAt: 1, step })),
  );
}

describe("recorded step order", () => {
  it("[TURN-054] returns a reply for the request it was recorded for", () => {
    expect(recorded(REQUESTED, ANSWERED).takeReply("answer")).toMatchObject({ kind: "reply" });
    const summary = recorded({ ...REQUESTED, purpose: "summary" }, ANSWERED);
    expect(() => summary.takeReply("answer")).toThrow(TurnRecordError);
    expect(summary.takeReply("summary")).toMatchObject({ kind: "reply", purpose: "summary" });
  });

  it("[TURN-054] returns no reply after a different step", () => {
    const state = recorded({ kind: "answer-revised", instruction: "better", keys: [] });
    expect(() => state.takeReply("answer")).toThrow(TurnRecordError);
    expect(state.isExhausted).toBe(false);
  });

  it("[TURN-054] returns a message for the role it was recorded for", () => {
    const state = recorded({ kind: "message-dropped", role: "user" });
    expect(() => state.takeMessage("assistant")).toThrow(TurnRecordError);
    expect(state.takeMessage("user")).toEqual({ status: "dropped" });
    expect(state.takeMessage("user")).toBeUndefined();
  });
});
