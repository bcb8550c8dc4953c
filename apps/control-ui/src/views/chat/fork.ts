import { call } from "../../state/link.js";
import { setDraft } from "./composer/drafts.js";

/**
 * Copies a conversation up to an entry into a new session.
 * @param sessionKey - full key of the conversation
 * @param through - position of the last entry that is copied
 * @param draft - text for the first message of the new session
 * @returns full key of the new session
 */
export async function forkConversation(
  sessionKey: string,
  through: number,
  draft: string | undefined,
): Promise<string> {
  const fork = await call("sessions.fork", { sessionKey, through });
  if (draft !== undefined) setDraft(fork.sessionKey, draft);
  return fork.sessionKey;
}
