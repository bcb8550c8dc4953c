import type { ModelRequest, ResolvedModel } from "@openclaw/models";
import type { Logger } from "@openclaw/plugin-sdk";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { callTokens, messagesTokens, messageTokens } from "../budget/call-size.js";
import type { RunningTurn } from "../context/turn.js";
import {
  type ContextWindowDependencies,
  contextWindowOf,
  modelWindow,
} from "../conversation/context-window.js";
import { isSummary } from "../conversation/history.js";

/** A request, and what of it may be left out. */
interface RequestToFit {
  readonly request: Omit<ModelRequest, "system" | "signal"> & { readonly system: string };
  /** Number of leading messages that belong to earlier turns and may be left out where they do not fit. */
  readonly earlierCount: number;
}

/** Dependencies of {@link fitRequest}. */
type FitDependencies = ContextWindowDependencies & { readonly logger: Logger };

/** Part of a model's window that is kept for the reply when the request does not limit it. */
const REPLY_SHARE = 0.05;

const RESULT_LEFT_OUT = "[This result does not fit into the context of the model and is left out.]";

/**
 * Returns a request that fits into the context window of a model: without the oldest exchanges of earlier turns, and,
 * where that does not suffice, without the text of the oldest tool results of the turn (SUB-036). The newest results
 * and the turn's own messages remain, also where they alone are too long: then the provider decides.
 * @param model - model that receives the request, which may be a fallback with a smaller window
 * @param input - the request
 */
export function fitRequest<Input extends RequestToFit>(
  turn: RunningTurn<FitDependencies>,
  model: ResolvedModel,
  input: Input,
): Input {
  const { messages } = input.request;
  const limit = messageRoom(turn, model, {
    around: callTokens({ request: { ...input.request, messages: [] } }),
    maxOutputTokens: input.request.maxOutputTokens,
  });
  if (messagesTokens(messages) <= limit) return input;
  const { earlier, own } = split(input);
  const kept = newestExchanges(earlier, limit - messagesTokens(own));
  const fitting =
    kept.length > 0 || messagesTokens(own) <= limit ? own : withoutOldResults(own, limit);
  const request = { ...input.request, messages: [...kept, ...fitting] };
  tell(turn, model, earlier.length - kept.length, limit);
  return { ...input, request, earlierCount: kept.length };
}

/** Parts of a request other than its messages. */
interface RequestAround {
  /** Tokens of its system prompt and of the definitions of its tools. */
  readonly around: number;
  /** Limit of its reply; a share of the window when absent. */
  readonly maxOutputTokens?: number | undefined;
}

/**
 * Returns the tokens that the messages of a request may have.
 * @param model - model that receives the request
 * @param parts - system prompt, tools and limit of the reply
 */
export function messageRoom(
  { request: { agentId }, dependencies }: RunningTurn<ContextWindowDependencies>,
  model: ResolvedModel,
  { around, maxOutputTokens }: RequestAround,
): number {
  const { contextTokenBudget } = contextWindowOf(model, agentId, dependencies);
  const window = modelWindow(model, dependencies);
  if (window === undefined) return contextTokenBudget;
  const reply = Math.min(maxOutputTokens ?? window * REPLY_SHARE, window / 2);
  return Math.min(contextTokenBudget, window - around - reply);
}

function split({ request: { messages }, earlierCount }: RequestToFit) {
  return { earlier: messages.slice(0, earlierCount), own: messages.slice(earlierCount) };
}

/** Returns the newest exchanges that have at most this number of tokens, behind the summary of older ones if it fits. */
function newestExchanges(messages: readonly AgentMessage[], tokens: number): AgentMessage[] {
  const [first] = messages;
  const summary = first !== undefined && isSummary(first) ? [first] : [];
  const room = tokens - messagesTokens(summary);
  if (room < 0) return summary.length === 0 ? [] : newestExchanges(messages.slice(1), tokens);
  let start = messages.length;
  let sum = 0;
  for (let index = messages.length - 1; index >= summary.length; index -= 1) {
    const message = messages[index];
    if (message === undefined) break;
    sum += messageTokens(message);
    if (sum > room) break;
    if (message.role === "user") start = index;
  }
  return [...summary, ...messages.slice(start)];
}

/** Replaces the text of tool results, the oldest first, but those that the model has not seen yet. */
function withoutOldResults(messages: readonly AgentMessage[], tokens: number): AgentMessage[] {
  const seen = messages.findLastIndex(({ role }) => role === "assistant");
  let sum = messagesTokens(messages);
  return messages.map((message, index) => {
    if (sum <= tokens || index > seen || message.role !== "toolResult") return message;
    const shorter: AgentMessage = {
      ...message,
      content: [{ type: "text", text: RESULT_LEFT_OUT }],
    };
    const saved = messageTokens(message) - messageTokens(shorter);
    if (saved <= 0) return message;
    sum -= saved;
    return shorter;
  });
}

/** Turns of which was logged that messages are left out. */
const told = new WeakSet<object>();

function tell(
  { state, request, dependencies }: RunningTurn<FitDependencies>,
  { ref }: ResolvedModel,
  leftOut: number,
  limit: number,
): void {
  if (told.has(state)) return;
  told.add(state);
  dependencies.logger.warn(
    `the conversation does not fit into the context of model ${ref}, which leaves about ${Math.max(0, Math.floor(limit))} tokens for it: the oldest ${leftOut} messages are not sent`,
    { code: "CONTEXT_CAPPED", runId: request.runId },
  );
}
