import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { CompactionStrategy } from "@openclaw/store";
import { messagesTokens } from "../budget/call-size.js";
import { estimateTokens } from "./size.js";

/** Size limits of a conversation. */
export interface ContextLimits {
  /** Maximum number of tokens in a conversation, `agents.defaults.contextTokens`; the window of the model when absent. */
  readonly tokens?: number | undefined;
  /** The same of single agents by ID, `agents.<id>.contextTokens`. */
  readonly ofAgents?: Readonly<Record<string, number>> | undefined;
  /** Fraction of the context window at which a conversation is compacted; between 0.5 and 0.95. */
  readonly threshold: number;
}

/** Limits of a host whose configuration gives none (SUB-036). */
export const DEFAULT_CONTEXT_LIMITS: ContextLimits = { threshold: 0.8 };

const LOWEST_THRESHOLD = 0.5;
const HIGHEST_THRESHOLD = 0.95;
const SUMMARISE_ABOVE = 0.85;
const TRUNCATE_ABOVE = 0.95;

/** Compaction strategy, and the number of newest exchanges to keep. */
export interface CompactionPlan {
  readonly strategy: CompactionStrategy;
  readonly keep: number;
  /** True when a user requested it, who learns of its failure. */
  readonly isRequested?: true | undefined;
  /** True when the memory also keeps the summary (SUB-038). */
  readonly keepsSummary?: boolean | undefined;
}

/** Numbers of newest exchanges that may be kept of a conversation that a provider rejected as too long. */
const KEPT_AFTER_OVERFLOW = [3, 2, 1, 0];

/** Numbers of newest exchanges that may be kept of a conversation for which the request of the turn has no room. */
const KEPT_IN_ROOM = [5, 3, 2, 1];

/**
 * Returns the plan used when a conversation is below its threshold, but does not fit next to the system prompt and the
 * definitions of the tools: it is summarised, and the exchanges that are kept fill at most half of the room.
 * @param messages - the conversation before the turn's message
 * @param room - tokens that the conversation may have in the request of the turn
 */
export function roomPlan(messages: readonly AgentMessage[], room: number): CompactionPlan {
  const possible = KEPT_IN_ROOM.filter((keep) => keptFrom(messages, keep) > 0);
  const leftBy = (keep: number) => messagesTokens(messages.slice(keptFrom(messages, keep)));
  const keep = possible.find((each) => leftBy(each) <= room / 2) ?? possible.at(-1) ?? 1;
  return { strategy: "summarise", keep };
}

/**
 * Returns the plan used after a provider rejected the conversation as too long, regardless of its maximum: at most half
 * of it is kept, and at most three exchanges. Nothing is kept only of a conversation that is most of the request.
 * @param messages - the conversation before the turn's message
 * @param added - messages of the turn
 */
export function overflowPlan(
  messages: readonly AgentMessage[],
  added: readonly AgentMessage[],
): CompactionPlan {
  const size = estimateTokens(messages);
  const isMost = size > estimateTokens(added);
  const possible = KEPT_AFTER_OVERFLOW.filter((keep) => keep > 0 || isMost).filter(
    (keep) => keptFrom(messages, keep) > 0,
  );
  const leftBy = (keep: number) => estimateTokens(messages.slice(keptFrom(messages, keep)));
  const keep = possible.find((each) => leftBy(each) <= size / 2) ?? possible.at(-1) ?? 0;
  return { strategy: "truncate", keep };
}

/**
 * Returns the plan used when a user requests a compaction.
 * @param keep - minimum number of exchanges to keep
 * @param keepsSummary - true when the memory also keeps the summary
 */
export function requestedPlan(keep: number, keepsSummary = false): CompactionPlan {
  return { strategy: "summarise", keep, isRequested: true, keepsSummary };
}

/**
 * Chooses how to compact a conversation (SUB-037): a nearly full one is truncated, a less full one is
 * summarised, and before that the oldest part is moved to the memory.
 * @param tokens - estimated tokens of the conversation
 * @param limits - budget of the model's context in tokens, and the fraction of it at which a conversation is compacted
 * @param hasArchive - true when the memory can store the oldest part; otherwise it is dropped
 * @returns undefined while the conversation fits
 */
export function planCompaction(
  tokens: number,
  { tokens: room, threshold }: { readonly tokens: number; readonly threshold: number },
  hasArchive: boolean,
): CompactionPlan | undefined {
  const fill = tokens / room;
  if (fill > TRUNCATE_ABOVE) return { strategy: "truncate", keep: 3 };
  if (fill < Math.min(Math.max(threshold, LOWEST_THRESHOLD), HIGHEST_THRESHOLD)) return undefined;
  if (fill > SUMMARISE_ABOVE) return { strategy: "summarise", keep: 5 };
  return hasArchive ? { strategy: "archive", keep: 10 } : { strategy: "truncate", keep: 5 };
}

/**
 * Returns where the kept part begins. It contains the newest exchanges, each starting with a user's
 * message, and every exchange from the first unanswered tool call on.
 * @param messages - messages of the conversation
 * @param keep - minimum number of exchanges to keep
 * @returns index of the first message to keep; 0 when nothing can be removed
 */
export function keptFrom(messages: readonly AgentMessage[], keep: number): number {
  const starts = messages.flatMap(({ role }, index) => (role === "user" ? [index] : []));
  const start = keep === 0 ? messages.length : (starts.at(-keep) ?? 0);
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
