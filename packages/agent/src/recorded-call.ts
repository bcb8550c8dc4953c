import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { JournalEntry } from "@openclaw/store";
import type { StepOf } from "./turn-path.js";

/** How far a tool call came. */
export interface RecordedCall {
  /** The final arguments; undefined when it was answered without running. */
  readonly params: JsonObject | undefined;
  /** Undefined when it may have run, and nobody knows what it did (TURN-055). */
  readonly answer: StepOf<"tool-answered"> | undefined;
}

/**
 * The calls that were run or answered, by their id; of calls with one id the earlier come first, since
 * some models give the calls of each reply the same ids.
 * @param entries - the journal of a run
 */
export function callsOf(entries: readonly JournalEntry[]): Map<string, RecordedCall[]> {
  const calls = new Map<string, RecordedCall[]>();
  for (const { step } of entries) {
    if (step.kind !== "tool-intended" && step.kind !== "tool-answered") continue;
    const { toolCallId } = step;
    const sameId = calls.get(toolCallId) ?? [];
    calls.set(toolCallId, sameId);
    if (step.kind === "tool-intended") {
      sameId.push({ params: step.params, answer: undefined });
      continue;
    }
    const open = sameId.findIndex(({ answer }) => answer === undefined);
    if (open === -1) sameId.push({ params: undefined, answer: step });
    else sameId[open] = { params: sameId[open]?.params, answer: step };
  }
  return calls;
}
