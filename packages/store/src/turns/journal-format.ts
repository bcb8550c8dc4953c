import type { JournalStep } from "./journal-step.js";

/** The form in which this version writes steps; it reads the two before it too (SCALE-024). */
export const JOURNAL_FORMAT = 2;

/** A step and the form in which it was stored. */
export interface StoredStep {
  readonly format: number;
  readonly step: JournalStep;
}

/**
 * Brings the steps of a run into the form of this version. A run may hold several forms, each later than
 * the one before it: an older version began what newer ones went on with.
 * @param entries - in order, of forms that this version reads
 */
export function upgradeSteps<Entry extends StoredStep>(
  entries: readonly Entry[],
): readonly Omit<Entry, "format">[] {
  const isOld = entries.some(({ format }) => format === 1);
  const upgraded = isOld ? markSummaries(entries) : entries;
  return upgraded.map(({ format: _, ...entry }) => entry);
}

/**
 * Format 1 did not say which requests were for a summary: those made before the turn's own message was
 * stored, and the one of a single message that follows a request which the model found too long.
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
