import { defined, errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { isPluginHookExecutionError } from "@openclaw/plugin-sdk/errors";
import type { HookMap, RecallResult } from "@openclaw/plugin-sdk/hooks";
import type { MemoryRequester } from "@openclaw/plugin-sdk/plugin-entry";
import type { ToolRecall } from "@openclaw/plugin-sdk/tools";
import { escapeRoleMarkers, wrapExternalContent } from "@openclaw/safety";
import type { TurnRequest } from "../context/request.js";
import type { RunningTurn } from "../context/turn.js";

/** Default number of results in a prompt. */
const DEFAULT_LIMIT = 10;

type Turn = RunningTurn<{ readonly logger: Logger }>;

type RecallSource = HookMap["before_recall"]["event"]["source"];

/**
 * Searches the memory for results that match a turn's message: fires `before_recall`, searches, fires
 * `after_recall`. Without a memory, nothing is searched or fired; a memory that fails gives no results.
 * @param query - search text
 * @returns the results for the prompt, best first
 */
export async function recall(turn: Turn, query: string): Promise<readonly RecallResult[]> {
  if (turn.pin.memory === undefined) return [];
  const asked = { query, limit: DEFAULT_LIMIT };
  return await recallAround(turn, asked, "auto", async (wanted) => {
    const found = await search(turn, wanted);
    turn.state.gathered = { ...turn.state.gathered, recalled: found };
    return found;
  });
}

/**
 * Runs a search between the hooks `before_recall` and `after_recall` (TURN-017).
 * @param asked - the search before any hook changes it
 * @param source - origin of the search
 * @param search - makes the search as the hooks changed it; not called when they skip it
 * @returns the results that the hooks keep, best first
 * @throws an error of the search
 */
export async function recallAround(
  turn: RunningTurn,
  asked: ToolRecall,
  source: RecallSource,
  search: (wanted: ToolRecall) => Promise<readonly RecallResult[]>,
): Promise<readonly RecallResult[]> {
  const { pin, state, request } = turn;
  const context = state.hookContext;
  const { signal } = request;
  const { query, limit, corpus } = asked;
  const change = await pin.hooks.decide(
    "before_recall",
    { query, limit, source, ...defined({ corpus: corpus && [...corpus] }) },
    context,
    { signal },
  );
  if (change?.skip === true) return [];
  const wanted = {
    query: change?.query ?? query,
    limit: limitOf(change?.limit ?? limit),
    ...defined({ corpus: change?.corpus ?? corpus }),
  };
  const startedAt = performance.now();
  const found = await search(wanted);
  const durationMs = Math.round(performance.now() - startedAt);
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
  const content = escapeRoleMarkers(results.map(({ text }) => `- ${text}`).join("\n"));
  return { prependContext: wrapExternalContent({ source: "memory", content }) };
}

async function search(turn: Turn, wanted: ToolRecall): Promise<readonly RecallResult[]> {
  const { memory } = turn.pin;
  const { agentId, sessionKey, runId, signal: turnSignal } = turn.request;
  if (memory === undefined || wanted.limit === 0) return [];
  const deadline = AbortSignal.timeout(memory.deadlineMs);
  const signal = AbortSignal.any([turnSignal, deadline]);
  try {
    const found = await waitUnlessAborted(signal, () =>
      memory.search({
        ...wanted,
        agentId,
        sessionKey,
        requester: requesterOf(turn.request),
        signal,
      }),
    );
    if (found !== undefined) return found.slice(0, wanted.limit);
    tell("its answer is not a list of results, each with id, text and score");
  } catch (error) {
    turnSignal.throwIfAborted();
    tell(deadline.aborted ? `it took longer than ${memory.deadlineMs} ms` : errorMessage(error));
  }
  return [];

  function tell(problem: string) {
    const { pluginId } = memory ?? {};
    // Recorded with the prepared turn, so that the trace of the run has it (MEM-039).
    turn.state.gathered = { ...turn.state.gathered, recallProblem: problem };
    turn.dependencies.logger.warn(
      `the memory of plugin "${pluginId}" could not be searched, and the turn continues without it: ${problem}`,
      { code: "MEMORY_SEARCH_FAILED", pluginId, runId },
    );
  }
}

/**
 * Returns the sender of a turn's message, for a memory.
 * @param request - the turn
 */
export function requesterOf({ origin }: Pick<TurnRequest, "origin">): MemoryRequester {
  const { channel, senderId, senderIsOwner, groupId } = origin;
  return { channel, senderId, senderIsOwner, ...defined({ groupId }) };
}

/** Limits the number of results that a hook requests to a valid range. */
function limitOf(limit: number = DEFAULT_LIMIT): number {
  return Math.max(0, Math.floor(limit));
}
