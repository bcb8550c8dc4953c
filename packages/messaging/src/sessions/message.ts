import type { SessionMessage } from "@openclaw/core-tools";
import type { Store } from "@openclaw/store";
import type { Caller, InboundMessage, ReplyOutcome } from "../messages/inbound.js";

/** Surface of messages that one session writes to another. */
const CHANNEL = "session";

/**
 * Receives a message that one session writes to another, like any other message. It is never treated as the
 * owner's, and has no approver.
 * @param message - sender, session and text
 * @param store - storage of sessions
 * @returns its ID once it is stored; undefined when the session does not exist
 * @throws store errors when the message could not be stored
 */
export async function sendToSession(
  { from, sessionKey, text }: SessionMessage,
  store: Pick<Store, "sessions">,
  flow: { receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome> },
): Promise<string | undefined> {
  const session = await store.sessions.get(sessionKey);
  if (session === undefined) return undefined;
  return await new Promise<string>((resolve, reject) => {
    flow
      .receive(
        {
          channel: CHANNEL,
          conversationId: sessionKey,
          senderId: from.sessionKey,
          senderIsOwner: false,
          sessionKey,
          agentId: session.agentId,
          text,
        },
        { onStored: resolve },
      )
      // The outcome is reported by events and the transcript; only a failure to store the message is reported
      // here.
      .then((outcome) => resolve(outcome.messageId), reject);
  });
}
