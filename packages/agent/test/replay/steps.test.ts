import type { JournalStep } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { type ComparedStep, comparedSteps, firstDivergence } from "../../src/replay/steps.js";

const requested = (callId: string): JournalStep => ({
  kind: "model-requested",
  callId,
  model: "scripted/script",
  digest: "digest",
  messageCount: 1,
});
const failed = (callId: string): JournalStep => ({
  kind: "model-failed",
  callId,
  error: { code: "X", message: "x" },
});
const resumed: JournalStep = { kind: "turn-resumed", generation: 1, configRevision: "test" };
const intended = (toolCallId: string): JournalStep => ({
  kind: "tool-intended",
  toolCallId,
  toolName: "work",
  params: {},
});

const kindsOf = (...steps: JournalStep[]) =>
  comparedSteps(
    steps.map((step, index) => ({ seq: index + 1, step })),
    [],
  ).map(({ kind, seq }) => `${seq} ${kind}`);

describe("compared steps of a replay", () => {
  it("omit steps that a run repeated after a restart", () => {
    expect(kindsOf(requested("a"), resumed, requested("b"), failed("b"))).toEqual([
      "3 model-requested",
      "4 model-failed",
    ]);
    expect(kindsOf(requested("a"), failed("a"), resumed, requested("b"))).toEqual([
      "1 model-requested",
      "2 model-failed",
      "4 model-requested",
    ]);
    expect(kindsOf(intended("a"), resumed, intended("a"))).toEqual(["3 tool-intended"]);
  });

  it("omit steps of the host around the turn", () => {
    expect(
      kindsOf(
        { kind: "reply-stored", outboxId: "o", part: 0 },
        { kind: "part-settled", outboxId: "o", part: 0, state: "delivered" },
      ),
    ).toEqual([]);
  });
});

describe("first divergence of a replay", () => {
  const step = (seq: number, content: string): ComparedStep => ({
    seq,
    kind: "tool-intended",
    content,
  });

  it("is absent while all steps so far match", () => {
    const recorded = [step(1, "a"), step(2, "b")];
    const open = { isOver: false, isWhole: true };
    expect(firstDivergence(recorded, [step(8, "a")], open)).toBeUndefined();
    expect(firstDivergence(recorded, [step(8, "b")], open)).toMatchObject({ step: 1 });
  });

  it("includes missing steps at the end of the replay, and further steps of a completed run", () => {
    const recorded = [step(1, "a"), step(5, "b")];
    const over = { isOver: true, isWhole: true };
    expect(firstDivergence(recorded, [step(1, "a")], over)).toEqual({
      step: 5,
      expected: { kind: "tool-intended", content: "b" },
    });
    const longer = [step(1, "a"), step(2, "b"), step(3, "c")];
    expect(firstDivergence(recorded, longer, over)).toEqual({
      step: 6,
      got: { kind: "tool-intended", content: "c" },
    });
    // An interrupted run has no record of the steps that would have followed.
    expect(firstDivergence(recorded, longer, { ...over, isWhole: false })).toBeUndefined();
  });
});
