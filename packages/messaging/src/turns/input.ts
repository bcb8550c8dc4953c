import type { AgentMessage, JsonObject } from "@openclaw/plugin-sdk/tools";
import type { InboundRow, Store, Turn } from "@openclaw/store";
import { RowDataError } from "@openclaw/store/errors";
import type { InboundMessage } from "../messages/inbound.js";

const STRINGS = ["channel", "conversationId", "senderId", "text"] as const;
const OPTIONAL_STRINGS = [
  "accountId",
  "threadId",
  "userName",
  "albumId",
  "model",
  "extraInstructions",
  "forkedFrom",
] as const;

/** Part of a message that a stored turn needs to run, also in a later process. */
export type TurnInput = Pick<
  InboundMessage,
  | (typeof STRINGS)[number]
  | (typeof OPTIONAL_STRINGS)[number]
  | "senderIsOwner"
  | "room"
  | "attachments"
  | "client"
> & { readonly history?: readonly AgentMessage[] | undefined };

/**
 * Returns the part of a message that is stored with its turn.
 * @param message - message after the inbound hooks
 */
export function writeTurnInput(message: TurnInput): JsonObject {
  const { channel, conversationId, senderId, senderIsOwner, text } = message;
  const { room, history, attachments, client } = message;
  const optional = OPTIONAL_STRINGS.map((key) => [key, message[key]] as const);
  const input = {
    channel,
    conversationId,
    senderId,
    senderIsOwner,
    text,
    ...Object.fromEntries(optional),
    room,
    history,
    attachments,
    client,
  };
  return JSON.parse(JSON.stringify(input)) as JsonObject;
}

/**
 * Loads the input of a turn. For a turn that a gate blocked, which only has to end, nothing of the message is
 * kept (TURN-024).
 * @param turn - stored turn
 * @param store - storage of its message
 * @throws RowDataError when another version stored it in a different form
 */
export async function loadTurnInput(
  turn: Turn,
  { messages: { inbox } }: Pick<Store, "messages">,
): Promise<TurnInput> {
  const row = turn.payload === undefined ? await inbox.get(turn.inboxId) : undefined;
  return row === undefined ? readTurnInput(turn) : withheldTurnInput(row);
}

function withheldTurnInput({
  channel,
  accountId,
  conversationId,
  threadId,
  senderId,
  metadata,
}: InboundRow): TurnInput {
  return {
    channel,
    accountId,
    conversationId,
    senderId,
    senderIsOwner: metadata.senderIsOwner === true,
    text: "",
    threadId,
  };
}

/**
 * Reads the input that `writeTurnInput` stored.
 * @param turn - stored turn
 * @throws RowDataError when another version stored it in a different form
 */
export function readTurnInput({ runId, payload }: Turn): TurnInput {
  if (isTurnInput(payload)) return payload;
  throw new RowDataError(
    `turn ${runId}: this version cannot read its stored input; send the message again`,
  );
}

function isTurnInput(payload: unknown): payload is TurnInput {
  if (typeof payload !== "object" || payload === null) return false;
  const input = payload as Readonly<Record<string, unknown>>;
  const isString = (key: string) => typeof input[key] === "string";
  const isAbsentOr = (key: string, holds: boolean) => input[key] === undefined || holds;
  return (
    STRINGS.every(isString) &&
    typeof input.senderIsOwner === "boolean" &&
    OPTIONAL_STRINGS.every((key) => isAbsentOr(key, isString(key))) &&
    isAbsentOr("room", isRoom(input.room)) &&
    isAbsentOr("history", Array.isArray(input.history)) &&
    isAbsentOr("client", typeof input.client === "object" && input.client !== null)
  );
}

function isRoom(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { kind, id }: { kind?: unknown; id?: unknown } = value;
  return (kind === "group" || kind === "channel") && typeof id === "string";
}
