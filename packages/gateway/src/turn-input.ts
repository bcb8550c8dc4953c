import type { AgentMessage, JsonObject } from "@openclaw/plugin-sdk/tools";
import { RowDataError, type Turn } from "@openclaw/store";
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
 * @throws RowDataError when another version stored it in another form
 */
export function readTurnInput({ runId, payload }: Turn): TurnInput {
  if (isTurnInput(payload)) return payload;
  throw new RowDataError(
    `turn ${runId}: its stored input is not in the form that this version reads; send the message again`,
  );
}

function isTurnInput(payload: unknown): payload is TurnInput {
  if (typeof payload !== "object" || payload === null) return false;
  const input = payload as Readonly<Record<string, unknown>>;
  const isText = (key: string) => typeof input[key] === "string";
  const isAbsentOr = (key: string, holds: boolean) => input[key] === undefined || holds;
  return (
    ["channel", "conversationId", "senderId", "text"].every(isText) &&
    typeof input.senderIsOwner === "boolean" &&
    ["model", "extraInstructions"].every((key) => isAbsentOr(key, isText(key))) &&
    isAbsentOr("history", Array.isArray(input.history))
  );
}
