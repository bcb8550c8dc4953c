/** The conversation a message belongs to, as far as it decides the session. */
export interface Conversation {
  agentId: string;
  /** Surface, for example `terminal` or `api`. */
  channel: string;
  /** Person or caller on that surface. */
  peer: string;
}

/**
 * Key of an agent's main conversation: the operator's own terminal.
 * @param agentId - for example `main`
 */
export function mainSessionKey(agentId: string): string {
  return `agent:${agentId}:main`;
}

/**
 * Key of a direct conversation, one per channel and peer (TURN-009, `per-channel-peer`).
 * @param conversation - who talks where; peers are lower-cased and a colon in them is percent-encoded
 */
export function directSessionKey({ agentId, channel, peer }: Conversation): string {
  return `agent:${agentId}:${segment(channel)}:direct:${segment(peer)}`;
}

function segment(text: string): string {
  return text.trim().toLowerCase().replaceAll("%", "%25").replaceAll(":", "%3a");
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
