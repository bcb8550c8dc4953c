import type { AgentMessage, JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Turn } from "@openclaw/store";
import type { InboundMessage } from "./inbound-message.js";

/** What a stored turn needs to run, also in a later process. */
export type TurnInput = Pick<
  InboundMessage,
  | "channel"
  | "conversationId"
  | "senderId"
  | "senderIsOwner"
  | "text"
  | "model"
  | "extraInstructions"
> & { readonly history?: readonly AgentMessage[] };

/**
 * The part of a message that is stored with its turn.
 * @param message - as the inbound hooks left it
 */
export function writeTurnInput(message: InboundMessage): JsonObject {
  const { channel, conversationId, senderId, senderIsOwner, text, model, extraInstructions } =
    message;
  const input: TurnInput = {
    channel,
    conversationId,
    senderId,
    senderIsOwner,
    text,
    ...(model === undefined ? {} : { model }),
    ...(extraInstructions === undefined ? {} : { extraInstructions }),
    ...(message.history === undefined ? {} : { history: message.history }),
  };
  return JSON.parse(JSON.stringify(input)) as JsonObject;
}

/**
 * Reads back what `writeTurnInput` stored.
 * @param turn - a stored turn
 */
export function readTurnInput({ payload }: Turn): TurnInput {
  return payload as unknown as TurnInput;
}
