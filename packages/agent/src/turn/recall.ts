import { defined, errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { isPluginHookExecutionError } from "@openclaw/plugin-sdk/errors";
import type { HookMap, RecallResult } from "@openclaw/plugin-sdk/hooks";
import { wrapExternalContent } from "@openclaw/safety";
import type { RunningTurn } from "../context/turn.js";

/** Default number of results in a prompt. */
const DEFAULT_LIMIT = 10;
const SEARCH_DEADLINE_MS = 15_000;

type Turn = RunningTurn<{ readonly logger: Logger }>;

type RecallSearch = Pick<HookMap["before_recall"]["event"], "query" | "limit" | "source">;

/**
 * Searches the memory for results that match a turn's message: fires `before_recall`, searches, fires
 * `after_recall`. Without a memory, nothing is searched or fired; a memory that fails gives no results.
 * @param turn - the running turn
 * @param query - search text
 * @param source - origin of the search
 * @returns the results for the prompt, best first
 */
export async function recall(
  turn: Turn,
  query: string,
  source: RecallSearch["source"],
): Promise<readonly RecallResult[]> {
  const { pin, state, request } = turn;
  const context = state.hookContext;
  if (pin.memory === undefined) return [];
  const { signal } = request;
  const asked = { query, limit: DEFAULT_LIMIT, source };
  const change = await pin.hooks.decide("before_recall", asked, context, { signal });
  if (change?.skip === true) return [];
  const wanted = { query: change?.query ?? query, limit: limitOf(change?.limit) };
  const startedAt = performance.now();
  const found = await search(turn, { ...wanted, ...defined({ corpus: change?.corpus }) });
  const durationMs = Math.round(performance.now() - startedAt);
  state.gathered = { ...state.gathered, recalled: found };
  const event = { query: wanted.query, results: [...found], source, durationMs };
  try {
    const kept = await pin.hooks.rewrite("after_recall", event, context, { signal });
    return (kept?.results ?? found).slice(0, wanted.limit);
  } catch (error) {
    // A `fail-closed` handler failed: the results that it might have removed are not used (HCR-004).
    if (isPluginHookExecutionError(error) && !signal.aborted) return [];
    throw error;
  }
}

/**
 * Returns the prompt part with the recalled results, marked as data.
 * @param results - best first
 */
export function recalledParts(results: readonly RecallResult[]): { prependContext?: string } {
  if (results.length === 0) return {};
  const content = results.map(({ text }) => `- ${text}`).join("\n");
  return { prependContext: wrapExternalContent({ source: "memory", content }) };
}

async function search(
  turn: Turn,
  wanted: { query: string; limit: number; corpus?: readonly string[] },
): Promise<readonly RecallResult[]> {
  const { memory } = turn.pin;
  const { agentId, sessionKey, runId, signal: turnSignal } = turn.request;
  if (memory === undefined || wanted.limit === 0) return [];
  const deadline = AbortSignal.timeout(SEARCH_DEADLINE_MS);
  const signal = AbortSignal.any([turnSignal, deadline]);
  try {
    const found = await waitUnlessAborted(signal, () =>
      memory.search({ ...wanted, agentId, sessionKey, signal }),
    );
    if (found !== undefined) return found.slice(0, wanted.limit);
    tell("its answer is not a list of results, each with id, text and score");
  } catch (error) {
    turnSignal.throwIfAborted();
    tell(deadline.aborted ? `it took longer than ${SEARCH_DEADLINE_MS} ms` : errorMessage(error));
  }
  return [];

  function tell(problem: string) {
    const { pluginId } = memory ?? {};
    turn.dependencies.logger.warn(
      `the memory of plugin "${pluginId}" could not be searched, and the turn continues without it: ${problem}`,
      { code: "MEMORY_SEARCH_FAILED", pluginId, runId },
    );
  }
}

/** Limits the number of results that a hook requests to a valid range. */
function limitOf(limit: number = DEFAULT_LIMIT): number {
  return Math.max(0, Math.floor(limit));
}
