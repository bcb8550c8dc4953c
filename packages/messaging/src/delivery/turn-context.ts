import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow, Store } from "@openclaw/store";

/**
 * Adds the session and the turn of a stored reply to the context of the message that it answers.
 * @param reply - part of the reply
 * @param context - context of the message
 * @param store - the turn of the reply
 */
export async function turnContext(
  { runId, sessionKey }: Pick<OutboxRow, "runId" | "sessionKey">,
  context: MessageContext,
  { turns }: Pick<Store, "turns">,
): Promise<MessageContext> {
  const turn = await turns.get(runId);
  const ofTurn = turn && { agentId: turn.agentId, sessionId: turn.sessionId, runId };
  return { ...context, ...ofTurn, ...(sessionKey === "" ? undefined : { sessionKey }) };
}
