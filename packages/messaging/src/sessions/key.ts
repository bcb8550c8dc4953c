import type { InboundMessage } from "../messages/inbound.js";

/** Rule by which direct conversations share sessions, `session.dmScope`. */
export type DirectScope = "main" | "per-peer" | "per-channel-peer" | "per-account-channel-peer";

/** Parts of a direct conversation that determine its session. */
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
 * Returns the key of an agent's main session, which the operator's terminal uses.
 * @param agentId - agent ID, for example `main`
 */
export function mainSessionKey(agentId: string): string {
  return `agent:${agentId}:main`;
}

/**
 * Returns the session key of a direct conversation (TURN-009).
 * @param conversation - agent, channel and peer; IDs are used unchanged, with `%` and `:` percent-encoded
 * @param scope - which conversations share a session; by default each channel and peer has a separate one
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
 * Returns the key of the session of a message (TURN-009).
 * @param agentId - agent that handles the message
 * @param message - conversation and sender of the message
 * @param scope - which direct conversations share a session
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
 * Expands a short key such as `telegram:user:123` to the full one (TURN-009); a full key is returned
 * unchanged.
 * @param key - short or full key
 * @param defaultAgent - agent of short keys
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
 * Returns true for the session key of a subagent, `agent:<id>:subagent:<uuid>`.
 * @param sessionKey - full key
 */
export function isSubagentKey(sessionKey: string): boolean {
  return /^agent:[^:]+:subagent:/.test(sessionKey);
}

/**
 * Returns the key of the session in which the turns of a job run.
 * @param agentId - agent that works on the job
 */
export function jobSessionKey(agentId: string, jobId: string): string {
  return `agent:${agentId}:job:${jobId}`;
}

/**
 * Returns true for the session key of a job, `agent:<id>:job:<jobId>`.
 * @param sessionKey - full key
 */
export function isJobKey(sessionKey: string): boolean {
  return /^agent:[^:]+:job:/.test(sessionKey);
}

/**
 * Returns the key of the session in which the turns of a routine run.
 * @param agentId - agent that works for the routine
 */
export function routineSessionKey(agentId: string, routineId: string): string {
  return `agent:${agentId}:cron:${routineId}`;
}

/**
 * Returns true for the session key of a routine, `agent:<id>:cron:<routineId>`.
 * @param sessionKey - full key
 */
export function isRoutineKey(sessionKey: string): boolean {
  return /^agent:[^:]+:cron:/.test(sessionKey);
}

function segment(text: string): string {
  return text.replaceAll("%", "%25").replaceAll(":", "%3a");
}

/**
 * Returns the agent of a session key that a caller may choose; undefined for other keys, which are reserved
 * for the host (`cron:`, `hook:`, subagents, jobs and routines, GW-035).
 * @param sessionKey - key from a client
 */
export function agentOfCallerKey(sessionKey: string): string | undefined {
  const match =
    /^agent:([a-z0-9][a-z0-9_-]{0,63}):(?!subagent:|job:|cron:)[^\p{Cc}\u2028\u2029]{1,2000}$/u.exec(
      sessionKey,
    );
  return match?.[1];
}
