import { errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import type { ResolvedModel } from "@openclaw/models";
import type { Logger } from "@openclaw/plugin-sdk";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { RunningTurn } from "../context/turn.js";
import { UNKNOWN_WINDOW } from "../conversation/context-window.js";
import type { ConversationHistory } from "../conversation/history.js";

const ENGINE_DEADLINE_MS = 30_000;

/** Dependencies of the calls of a context engine. */
export interface ContextEngineDependencies {
  readonly logger: Logger;
}

type Turn = RunningTurn<ContextEngineDependencies>;

/** Conversation for the model, and text for its system prompt. */
export interface AssembledHistory {
  readonly history: ConversationHistory;
  readonly appendSystemContext?: string;
}

/**
 * Lets the context engine in the slot select the messages that the model receives. An engine that fails is logged, and
 * the model receives the conversation of the host (PLUG-056).
 * @param model - model of the turn
 * @param history - the conversation before the turn's message
 */
export async function assembleContext(
  turn: Turn,
  model: ResolvedModel,
  history: ConversationHistory,
): Promise<AssembledHistory> {
  const { contextEngine } = turn.pin;
  if (contextEngine === undefined) return { history };
  const { sessionId, sessionKey, text: prompt } = turn.request;
  const messages = structuredClone(history.messages);
  const assembly = { sessionId, sessionKey, messages, prompt, model: model.ref };
  // Engines of older plugins read a transcript file here, which this host does not have.
  await attempt(turn, "could not read the earlier conversation", () =>
    contextEngine.bootstrap({ sessionId, sessionKey }),
  );
  const assembled = await attempt(turn, "could not select the messages", () =>
    contextEngine.assemble({ ...assembly, tokenBudget: budgetOf(turn) }),
  );
  if (assembled === undefined) return { history };
  const { systemPromptAddition: addition } = assembled;
  const selected = {
    messages: assembled.messages,
    places: assembled.messages.map(() => undefined),
  };
  return addition === undefined
    ? { history: selected }
    : { history: selected, appendSystemContext: addition };
}

/**
 * Returns true when the context engine compacts conversations instead of the host, after it was asked to compact this
 * one.
 */
export async function compactedByEngine(turn: Turn): Promise<boolean> {
  const { contextEngine } = turn.pin;
  if (contextEngine === undefined) return false;
  const owns = await attempt(turn, "could not be asked", () => contextEngine.ownsCompaction());
  if (owns !== true) return false;
  const { sessionId, sessionKey } = turn.request;
  const request = { sessionId, sessionKey, tokenBudget: budgetOf(turn) };
  await attempt(turn, "could not compact the conversation", () => contextEngine.compact(request));
  return true;
}

/**
 * Tells the context engine of the end of a turn.
 * @param before - messages that were sent to the model before those of the turn
 * @param messages - messages of the turn
 */
export async function notifyContextEngine(
  turn: Turn,
  before: readonly AgentMessage[],
  messages: readonly AgentMessage[],
): Promise<void> {
  const { contextEngine } = turn.pin;
  if (contextEngine === undefined || messages.length === 0) return;
  const { sessionId, sessionKey } = turn.request;
  const end = {
    sessionId,
    sessionKey,
    messages: structuredClone([...before, ...messages]),
    prePromptMessageCount: before.length,
    tokenBudget: budgetOf(turn),
  };
  // The turn has ended, also when it was interrupted.
  const signal = AbortSignal.timeout(ENGINE_DEADLINE_MS);
  try {
    await waitUnlessAborted(signal, () => contextEngine.turnEnded(end));
  } catch (error) {
    warn(turn, "could not store the turn", error);
  }
}

function budgetOf({ state }: Turn): number {
  return state.hookContext.contextTokenBudget ?? UNKNOWN_WINDOW;
}

async function attempt<Result>(
  turn: Turn,
  problem: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const { signal: interrupted } = turn.request;
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(ENGINE_DEADLINE_MS)]);
  try {
    return await waitUnlessAborted(signal, work);
  } catch (error) {
    interrupted.throwIfAborted();
    warn(turn, `${problem}, and the turn continues without it`, error);
    return undefined;
  }
}

function warn({ pin, request, dependencies }: Turn, problem: string, error: unknown): void {
  const pluginId = pin.contextEngine?.pluginId;
  dependencies.logger.warn(
    `the context engine of plugin "${pluginId}" ${problem}: ${errorMessage(error)}`,
    { code: "CONTEXT_ENGINE_FAILED", pluginId, runId: request.runId },
  );
}
