import type { GatewayMethodParameters } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call } from "../../../state/link.js";
import type { ListedRun } from "../../../state/runs.js";

/** States of runs, as the gateway names them. */
export const RUN_STATES = [
  ...(["running", "queued", "awaiting_approval"] as const),
  ...(["completed", "failed", "blocked", "interrupted"] as const),
] as const;

/** Filter that the gateway applies. */
export type RunFilter = Pick<
  GatewayMethodParameters<"runs.list">,
  "states" | "sessionKey" | "from"
>;

const PAGE = 100;

interface LoadedRuns {
  readonly filter: RunFilter;
  readonly runs: readonly ListedRun[];
  readonly nextCursor?: string | undefined;
}

/** Runs of the filter that are read so far; undefined before the first read. */
export const runs = signal<LoadedRuns | undefined>(undefined);
/** Number of runs of the filter that began since; they wait for the person. */
export const newRuns = signal(0);
/** Fault of the last read. */
export const runsFault = signal<Fault | undefined>(undefined);

let wanted: RunFilter | undefined;
let isReading = false;

/**
 * Reads the first page of a filter.
 * @param filter - filter of the list
 */
export async function readRuns(filter: RunFilter): Promise<void> {
  wanted = filter;
  try {
    const page = await call("runs.list", { states: [...RUN_STATES], ...filter, limit: PAGE });
    // A slow answer must not replace that of a newer filter.
    if (wanted !== filter) return;
    runs.value = { filter, ...page };
    newRuns.value = 0;
    runsFault.value = undefined;
  } catch (error) {
    if (wanted === filter) runsFault.value = faultOf(error);
  }
}

/** Reads the next page. */
export async function readMoreRuns(): Promise<void> {
  const before = runs.value;
  if (before?.nextCursor === undefined || isReading) return;
  isReading = true;
  try {
    const { filter, nextCursor: cursor } = before;
    const page = await call("runs.list", {
      states: [...RUN_STATES],
      ...filter,
      cursor,
      limit: PAGE,
    });
    if (runs.value !== before) return;
    const known = new Set(before.runs.map(({ runId }) => runId));
    const added = page.runs.filter(({ runId }) => !known.has(runId));
    runs.value = { filter, runs: [...before.runs, ...added], nextCursor: page.nextCursor };
  } catch {
    // A lost connection, which the status line shows; scrolling reads the page again.
  } finally {
    isReading = false;
  }
}

/** Reads the newest runs again: known ones change in their place, and new ones are counted. */
export async function refreshRuns(): Promise<void> {
  const before = runs.value;
  if (before === undefined) return;
  const { sessionKey, states = RUN_STATES } = before.filter;
  const filter = sessionKey === undefined ? {} : { sessionKey };
  const page = await call("runs.list", { states: [...RUN_STATES], ...filter, limit: PAGE }).catch(
    // The next connection reads them again.
    () => undefined,
  );
  const now = runs.value;
  if (page === undefined || now?.filter !== before.filter) return;
  const fresh = new Map(page.runs.map((run) => [run.runId, run] as const));
  const known = new Set(now.runs.map(({ runId }) => runId));
  const newest = now.runs[0]?.queuedAt ?? 0;
  runs.value = { ...now, runs: now.runs.map((run) => fresh.get(run.runId) ?? run) };
  newRuns.value = page.runs.filter(
    (run) => !known.has(run.runId) && run.queuedAt >= newest && states.includes(run.state),
  ).length;
}
