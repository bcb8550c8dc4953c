import type { PluginKeyValueStore } from "@openclaw/plugin-sdk/store";
import { daysBefore } from "./day.js";
import type { Documents } from "./documents.js";
import { dayOfPath } from "./path.js";

/** Shortest time between two runs, in milliseconds. */
export const HYGIENE_EVERY_MS = 12 * 3_600_000;
const KEY = "hygiene";

/** Outcome of a run. */
export interface HygieneReport {
  /** Paths of the removed daily notes; in a dry run of those that would be removed. */
  readonly removed: readonly string[];
  readonly dryRun: boolean;
}

/** Dependencies of {@link removeOldNotes}. */
export interface HygieneDependencies {
  readonly documents: Documents;
  readonly kv: Pick<PluginKeyValueStore, "get" | "compareAndSet">;
  readonly now: () => number;
  /** Returns today as YYYY-MM-DD. */
  readonly today: () => string;
}

/**
 * Removes old daily notes, unless that was done within the last 12 hours (MEM-041). No other document is removed.
 * @param dependencies - documents, state and clock
 * @param options - age in days from which a note is removed, and whether nothing is removed
 * @returns undefined when it is not due
 */
export async function runHygiene(
  dependencies: HygieneDependencies,
  { keepDays }: { readonly keepDays: number },
): Promise<HygieneReport | undefined> {
  const { kv, now } = dependencies;
  const before = await kv.get(KEY);
  if (typeof before === "number" && now() - before < HYGIENE_EVERY_MS) return undefined;
  // Of two processes only one runs it.
  if (!(await kv.compareAndSet(KEY, before, now()))) return undefined;
  return await removeOldNotes(dependencies, { keepDays, dryRun: false });
}

/**
 * Removes old daily notes of all owners.
 * @param dependencies - documents and clock
 * @param options - age in days from which a note is removed, and whether nothing is removed
 */
export async function removeOldNotes(
  { documents, today }: Pick<HygieneDependencies, "documents" | "today">,
  { keepDays, dryRun }: { readonly keepDays: number; readonly dryRun: boolean },
): Promise<HygieneReport> {
  const oldest = daysBefore(today(), keepDays);
  const removed: string[] = [];
  for (const owner of await documents.owners()) {
    for (const { id, path } of await documents.list(owner, "daily")) {
      const day = dayOfPath(path);
      if (day === undefined || day >= oldest) continue;
      if (!dryRun) await documents.removeById(id);
      removed.push(path);
    }
  }
  return { removed, dryRun };
}
