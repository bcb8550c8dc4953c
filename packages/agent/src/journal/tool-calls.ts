import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { AwaitedInput, HeldOutput, JournalEntry, WaitingCall } from "@openclaw/store";
import type { Guidance } from "../context/call.js";
import type { StepOf } from "./steps.js";

/** Recorded progress of a tool call. */
export interface RecordedCall {
  /** The call with its approval request; undefined when approval was not requested. */
  readonly waiting: WaitingCall | undefined;
  /** The final arguments; undefined when the call did not run. */
  readonly params: JsonObject | undefined;
  /** Notes of plugins that the model receives with the answer. */
  readonly guidance: readonly Guidance[];
  /** The output of a call that ran, while it waits for its review; undefined when none was requested. */
  readonly held: HeldOutput | undefined;
  /** The call that waits for input; undefined when it runs with the input, or asked for none. */
  readonly awaited: AwaitedInput | undefined;
  /** Undefined while the call waits for approval, or if it may have run with an unknown result (TURN-055). */
  readonly answer: StepOf<"tool-answered"> | undefined;
}

/**
 * Returns the calls that were submitted for approval, run or answered, by ID. Calls with the same ID are in
 * order, since some models reuse the IDs in each reply.
 * @param entries - the journal of a run
 */
export function callsOf(entries: readonly JournalEntry[]): Map<string, RecordedCall[]> {
  const calls = new Map<string, RecordedCall[]>();
  for (const { step } of entries) {
    if (
      step.kind !== "approval-asked" &&
      step.kind !== "tool-intended" &&
      step.kind !== "tool-answered"
    ) {
      continue;
    }
    const sameId = calls.get(step.toolCallId) ?? [];
    calls.set(step.toolCallId, sameId);
    switch (step.kind) {
      case "approval-asked":
        if (step.waiting !== undefined) addTo(sameId, () => false, { waiting: step.waiting });
        if (step.held !== undefined) {
          addTo(sameId, ({ params }) => params !== undefined, { held: step.held });
        }
        if (step.awaited !== undefined) {
          addTo(sameId, ({ params }) => params !== undefined, { awaited: step.awaited });
        }
        break;
      case "tool-intended":
        addTo(sameId, ({ params, awaited }) => params === undefined || awaited !== undefined, {
          params: step.params,
          guidance: step.guidance ?? [],
          awaited: undefined,
        });
        break;
      case "tool-answered":
        addTo(sameId, () => true, { answer: step });
    }
  }
  return calls;
}

const NOTHING: RecordedCall = {
  waiting: undefined,
  params: undefined,
  guidance: [],
  held: undefined,
  awaited: undefined,
  answer: undefined,
};

/** Adds a step to the first matching open call, or begins another call. */
function addTo(
  sameId: RecordedCall[],
  fits: (open: RecordedCall) => boolean,
  step: Partial<RecordedCall>,
): void {
  const index = sameId.findIndex((call) => call.answer === undefined && fits(call));
  const before = sameId[index] ?? NOTHING;
  const call = { ...before, ...step };
  if (index === -1) sameId.push(call);
  else sameId[index] = call;
}
