/** User and agent whose documents are used; no other documents are visible (MEM-006). */
export interface Owner {
  readonly user: string;
  readonly agent: string;
}

/** User of all messages of an owner of the host, whichever channel they come from. */
export const OWNER_USER = "owner";

/** Agent of commands and of turns that name none. */
export const DEFAULT_AGENT = "main";

/** Fields of a turn that say who wrote its message. */
export interface Requester {
  readonly agentId?: string | undefined;
  readonly channel?: string | undefined;
  readonly senderId?: string | undefined;
  readonly senderIsOwner?: boolean | undefined;
}

/**
 * Returns the owner of the documents of a turn. An owner of the host is one user on all channels, so that memory is found
 * again in other conversations; any other sender is a user of one channel (MEM-040).
 * @param requester - agent and sender of the turn
 * @returns undefined for a turn without a sender, which has no memory
 */
export function ownerOf({
  agentId = DEFAULT_AGENT,
  channel,
  senderId,
  senderIsOwner,
}: Requester): Owner | undefined {
  if (senderIsOwner === true) return { user: OWNER_USER, agent: agentId };
  if (channel === undefined || senderId === undefined || senderId === "") return undefined;
  return { user: `${channel}:${senderId}`, agent: agentId };
}
