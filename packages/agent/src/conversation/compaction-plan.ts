import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { CompactionStrategy } from "@openclaw/store";

/** What a model's context has room for. */
export interface ContextLimits {
  /** Tokens that a conversation may have, `agents.defaults.contextTokens`. */
  readonly tokens: number;
  /** Part of them from which on a conversation is shortened; between 0.5 and 0.95. */
  readonly threshold: number;
}

/** Limits of a host whose configuration gives none (SUB-036). */
export const DEFAULT_CONTEXT_LIMITS: ContextLimits = { tokens: 100_000, threshold: 0.8 };

const LOWEST_THRESHOLD = 0.5;
const HIGHEST_THRESHOLD = 0.95;
const SUMMARISE_ABOVE = 0.85;
const TRUNCATE_ABOVE = 0.95;

/** How a conversation is shortened, and how many of its newest exchanges stay. */
export interface CompactionPlan {
  readonly strategy: CompactionStrategy;
  readonly keep: number;
}

/** What is done after a provider said that the conversation is too long, whatever the estimate says. */
export const OVERFLOW_PLAN: CompactionPlan = { strategy: "truncate", keep: 3 };

/**
 * Chooses how to shorten a conversation (SUB-037): nearly full it is cut at once, before that it is
 * summarised. There is no memory yet that the oldest part could move to.
 * @param tokens - of the conversation, estimated
 * @param limits - of the model's context
 * @returns undefined while there is room
 */
export function planCompaction(
  tokens: number,
  { tokens: room, threshold }: ContextLimits,
): CompactionPlan | undefined {
  const fill = tokens / room;
  if (fill > TRUNCATE_ABOVE) return { strategy: "truncate", keep: 3 };
  if (fill < Math.min(Math.max(threshold, LOWEST_THRESHOLD), HIGHEST_THRESHOLD)) return undefined;
  if (fill > SUMMARISE_ABOVE) return { strategy: "summarise", keep: 5 };
  return { strategy: "truncate", keep: 5 };
}

/**
 * Where the part begins that stays: the newest exchanges, each from a person's message on, and every
 * exchange from the first with a tool call that has no answer yet.
 * @param messages - of the conversation
 * @param keep - how many exchanges stay at least
 * @returns index of the first message that stays; 0 when nothing can go
 */
export function keptFrom(messages: readonly AgentMessage[], keep: number): number {
  const starts = messages.flatMap(({ role }, index) => (role === "user" ? [index] : []));
  const start = starts.at(-keep) ?? 0;
  if (starts.length <= keep) return 0;
  const open = firstUnanswered(messages);
  if (open === undefined || open >= start) return start;
  return starts.findLast((index) => index <= open) ?? 0;
}

function firstUnanswered(messages: readonly AgentMessage[]): number | undefined {
  const open = new Map<string, number>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "toolResult") open.delete(message.toolCallId);
    if (message.role !== "assistant") continue;
    for (const part of message.content)
      if (part.type === "toolCall") open.set(part.toolCallId, index);
  }
  const [first] = open.values();
  return first;
}
