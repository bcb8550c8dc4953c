import type { JournalStep } from "./journal-step.js";

/**
 * Format in which this version writes steps; it also reads the two previous ones (SCALE-024). Steps of format 3 may be
 * encrypted.
 */
export const JOURNAL_FORMAT = 3;

/** A step and its stored format. */
export interface StoredStep {
  readonly format: number;
  readonly step: JournalStep;
}

/**
 * Converts the steps of a run to the format of this version. A run may contain several formats in
 * ascending order, when a newer version resumed it.
 * @param entries - in order, in formats that this version reads
 */
export function upgradeSteps<Entry extends StoredStep>(
  entries: readonly Entry[],
): readonly Omit<Entry, "format">[] {
  const isOld = entries.some(({ format }) => format === 1);
  const upgraded = isOld ? markSummaries(entries) : entries;
  return upgraded.map(({ format: _, ...entry }) => entry);
}

/**
 * Marks requests for a summary, which format 1 did not mark: those made before the turn's own
 * message was stored, and the one with a single message that follows a request which was too long
 * for the model.
 */
function markSummaries<Entry extends StoredStep>(entries: readonly Entry[]): readonly Entry[] {
  let isPreparing = true;
  let wasTooLong = false;
  return entries.map((entry) => {
    const { step, format } = entry;
    if (format > 1) return entry;
    if (step.kind === "message-stored") isPreparing = false;
    if (step.kind === "model-failed") wasTooLong = step.error.code === TOO_LONG;
    if (step.kind !== "model-requested") return entry;
    const isSummary = isPreparing || (wasTooLong && step.messageCount === 1);
    wasTooLong = false;
    return isSummary ? { ...entry, step: { ...step, purpose: "summary" as const } } : entry;
  });
}

const TOO_LONG = "MODEL_CONTEXT_LENGTH_EXCEEDED";
