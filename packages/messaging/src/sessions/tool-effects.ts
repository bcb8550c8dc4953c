import { startOfText } from "@openclaw/foundation";
import type { Store, TranscriptEntry } from "@openclaw/store";

/** Steps of the runs. */
type Journal = Pick<Store["turns"]["journal"], "load">;

const MOST_SHOWN = 20;
const LONGEST_PARAMS = 80;

/**
 * Describes the tool calls in entries that were taken back: their effects remain (SUB-035). A failed call that was
 * rejected before it ran is left out, as far as the journal of its run is kept.
 * @param entries - entries that were taken back
 * @param journal - steps of the runs
 * @returns lines for the user; empty when no tool ran
 */
export async function remainingEffects(
  entries: readonly TranscriptEntry[],
  journal: Journal,
): Promise<readonly string[]> {
  const began = new BegunCalls(journal);
  const params = new Map<string, string>();
  const calls: string[] = [];
  for (const { message, runId } of entries) {
    if (message.role === "assistant") {
      for (const part of message.content) {
        if (part.type === "toolCall") params.set(part.toolCallId, shortened(part.params));
      }
    }
    if (message.role !== "toolResult") continue;
    if (message.isError && !(await began.has(runId, message.toolCallId))) continue;
    const failed = message.isError ? " (failed, may have had effects)" : "";
    calls.push(`  ${message.toolName} ${params.get(message.toolCallId) ?? ""}`.trimEnd() + failed);
  }
  if (calls.length === 0) return [];
  const shown = calls.slice(0, MOST_SHOWN);
  const more = calls.length - shown.length;
  return [
    "The effects of these tool calls remain:",
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** Calls that began to run, from the journals of their runs, each of which is read once. */
class BegunCalls {
  readonly #journal: Journal;
  readonly #ofRuns = new Map<string, Promise<ReadonlySet<string> | undefined>>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Returns true also for a call of a run whose journal was removed. */
  async has(runId: string | undefined, toolCallId: string): Promise<boolean> {
    if (runId === undefined) return true;
    const calls = this.#ofRuns.get(runId) ?? this.#read(runId);
    this.#ofRuns.set(runId, calls);
    return (await calls)?.has(toolCallId) ?? true;
  }

  async #read(runId: string): Promise<ReadonlySet<string> | undefined> {
    const steps = await this.#journal.load(runId);
    if (steps.length === 0) return undefined;
    return new Set(
      steps.flatMap(({ step }) => (step.kind === "tool-intended" ? [step.toolCallId] : [])),
    );
  }
}

function shortened(params: unknown): string {
  const text = JSON.stringify(params) ?? "";
  return text.length > LONGEST_PARAMS ? `${startOfText(text, LONGEST_PARAMS)}…` : text;
}
