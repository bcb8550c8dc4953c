import type { InboundMessage } from "../messages/inbound.js";

/** How direct conversations share sessions, `session.dmScope`. */
export type DirectScope = "main" | "per-peer" | "per-channel-peer" | "per-account-channel-peer";

/** The conversation a message belongs to, as far as it decides the session. */
export interface Conversation {
  agentId: string;
  /** Surface, for example `terminal` or `api`. */
  channel: string;
  /** Person or caller on that surface. */
  peer: string;
  /** Account of the surface; `default` when absent. */
  accountId?: string | undefined;
}

/**
 * Key of an agent's main conversation: the operator's own terminal.
 * @param agentId - for example `main`
 */
export function mainSessionKey(agentId: string): string {
  return `agent:${agentId}:main`;
}

/**
 * Key of a direct conversation (TURN-009).
 * @param conversation - who talks where; ids are used as given, with `%` and `:` percent-encoded
 * @param scope - who shares a session; each channel and peer has its own by default
 */
export function directSessionKey(
  { agentId, channel, peer, accountId = "default" }: Conversation,
  scope: DirectScope = "per-channel-peer",
): string {
  switch (scope) {
    case "main":
      return mainSessionKey(agentId);
    case "per-peer":
      return `agent:${agentId}:direct:${segment(peer)}`;
    case "per-channel-peer":
      return `agent:${agentId}:${segment(channel)}:direct:${segment(peer)}`;
    case "per-account-channel-peer":
      return `agent:${agentId}:${segment(channel)}:${segment(accountId)}:direct:${segment(peer)}`;
  }
}

/**
 * Key of the session a message belongs to (TURN-009).
 * @param agentId - whose session it is
 * @param message - where it was written and by whom
 * @param scope - who shares a session in direct conversations
 */
export function sessionKeyOf(
  agentId: string,
  message: Pick<InboundMessage, "channel" | "accountId" | "senderId" | "threadId" | "room">,
  scope: DirectScope,
): string {
  const { channel, accountId = "default", senderId, threadId, room } = message;
  if (room === undefined) {
    return directSessionKey({ agentId, channel, accountId, peer: senderId }, scope);
  }
  const place = `agent:${agentId}:${segment(channel)}:${room.kind}:${segment(room.id)}`;
  if (threadId === undefined) return place;
  const part = room.kind === "group" ? "topic" : "thread";
  return `${place}:${part}:${segment(threadId)}`;
}

/**
 * The full key behind a short one, such as `telegram:user:123` (TURN-009); a full key is its own.
 * @param key - as someone wrote it
 * @param defaultAgent - whose session a short key means
 */
export function expandSessionKey(key: string, defaultAgent: string): string {
  if (key === "main") return mainSessionKey(defaultAgent);
  const short = /^([^:\s]+):(user|dm|direct|group|channel):(\S+)$/.exec(key);
  if (short === null) return key;
  const [, channel = "", kind = "", rest = ""] = short;
  if (["agent", "cron", "hook"].includes(channel)) return key;
  const direct = kind === "user" || kind === "dm" || kind === "direct";
  if (direct) return directSessionKey({ agentId: defaultAgent, channel, peer: rest });
  return `agent:${defaultAgent}:${segment(channel)}:${kind}:${rest}`;
}

/**
 * Whether a session is that of a child, `agent:<id>:subagent:<uuid>`.
 * @param sessionKey - a full key
 */
export function isSubagentKey(sessionKey: string): boolean {
  return /^agent:[^:]+:subagent:/.test(sessionKey);
}

function segment(text: string): string {
  return text.replaceAll("%", "%25").replaceAll(":", "%3a");
}

/**
 * Agent of a session key that a caller may choose for itself; undefined for keys of other shapes,
 * which belong to the host (`cron:`, `hook:` and subagents, GW-035).
 * @param sessionKey - as sent by a client
 */
export function agentOfCallerKey(sessionKey: string): string | undefined {
  const match = /^agent:([a-z0-9][a-z0-9_-]{0,63}):(?!subagent:)[^\s]{1,400}$/.exec(sessionKey);
  return match?.[1];
}
