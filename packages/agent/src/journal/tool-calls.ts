import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { JournalEntry, WaitingCall } from "@openclaw/store";
import type { Guidance } from "../context/call.js";
import type { StepOf } from "./steps.js";

/** How far a tool call came. */
export interface RecordedCall {
  /** What a person was asked about; undefined when nobody was. */
  readonly waiting: WaitingCall | undefined;
  /** The final arguments; undefined when it did not run. */
  readonly params: JsonObject | undefined;
  /** What plugins want the model to know with its answer. */
  readonly guidance: readonly Guidance[];
  /** Undefined when it waits, or may have run and nobody knows what it did (TURN-055). */
  readonly answer: StepOf<"tool-answered"> | undefined;
}

/**
 * The calls that were asked about, run or answered, by their id; of calls with one id the earlier come
 * first, since some models give the calls of each reply the same ids.
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
        break;
      case "tool-intended":
        addTo(sameId, ({ params }) => params === undefined, {
          params: step.params,
          guidance: step.guidance ?? [],
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
  answer: undefined,
};

/** Goes on with the first open call that fits, or begins another one. */
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
