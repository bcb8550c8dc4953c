import { defined } from "@openclaw/foundation";
import { isSection, type Messaging } from "@openclaw/messaging";

/** Facts about a message, as far as a failed call contains them. */
export type LostFacts = Parameters<Messaging["lostMessages"]["note"]>[0]["facts"];

/** Levels of nested objects that are read. */
const DEEPEST = 4;
/** Objects that are read at most. */
const MOST_OBJECTS = 200;
/** Characters of a text that are kept. */
const MOST_TEXT = 100_000;
const MOST_ID = 512;

/** Hold no part of a message, and may hold tokens. */
const NOT_OF_MESSAGE: ReadonlySet<string> = new Set([
  ...["cfg", "config", "account", "accounts", "runtime", "core", "deps", "api", "log", "logger"],
  ...["route", "client", "env", "secrets", "credentials", "request", "req", "res", "headers"],
]);

/** Fields by which older plugins name each fact, the best one first. */
const FIELDS: Readonly<Record<Exclude<keyof LostFacts, "room">, readonly string[]>> = {
  channel: ["OriginatingChannel", "channel", "channelId", "Surface", "Provider", "provider"],
  accountId: ["AccountId", "accountId"],
  text: [
    ...["RawBody", "rawBody", "CommandBody", "commandBody", "BodyForAgent", "bodyForAgent"],
    ...["Body", "body", "text", "content", "messageText", "message", "caption"],
  ],
  senderId: [
    "SenderId",
    "senderId",
    "fromId",
    "userId",
    "From",
    "from",
    "sender",
    "author",
    "user",
  ],
  senderName: ["SenderName", "senderName", "fromName", "userName", "username", "displayName"],
  conversationId: [
    ...["OriginatingTo", "To", "conversationId", "chatId", "groupId", "roomId", "peerId", "peer"],
    ...["chat", "to"],
  ],
  threadId: ["MessageThreadId", "threadId", "messageThreadId"],
  externalId: ["MessageSid", "messageSid", "messageId", "msgId", "message_id", "eventId"],
};

/**
 * Reads a message from the arguments of a call that failed, as far as they contain it. Fields of outer objects count
 * before those of inner ones. Configuration and accounts are not read.
 * @param given - arguments of the call
 */
export function lostFacts(given: readonly unknown[]): LostFacts {
  const objects = objectsIn(given);
  const find = (fact: keyof typeof FIELDS) => {
    const most = fact === "text" ? MOST_TEXT : MOST_ID;
    for (const field of FIELDS[fact]) {
      for (const object of objects) {
        const value = textOf(object[field], fact !== "text");
        if (value !== undefined) return value.slice(0, most);
      }
    }
    return undefined;
  };
  const senderId = find("senderId");
  const conversationId = find("conversationId");
  const isRoom = objects.some(isOfRoom);
  const id = conversationId ?? senderId;
  return defined({
    channel: find("channel"),
    accountId: find("accountId"),
    text: find("text") ?? given.find(isWritten),
    senderId: senderId ?? (isRoom ? undefined : conversationId),
    senderName: find("senderName"),
    conversationId: id,
    threadId: find("threadId"),
    room: isRoom && id !== undefined ? { kind: "group" as const, id } : undefined,
    externalId: find("externalId"),
  });
}

/** Objects in the arguments, outer ones first. */
function objectsIn(given: readonly unknown[]): readonly Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = [];
  const seen = new Set<unknown>();
  let level: readonly unknown[] = given;
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const value of level) {
      if (!isSection(value) || seen.has(value) || found.length >= MOST_OBJECTS) continue;
      seen.add(value);
      const own = plainFields(value);
      found.push(own);
      for (const [key, member] of Object.entries(own)) {
        if (!NOT_OF_MESSAGE.has(key)) next.push(...(Array.isArray(member) ? member : [member]));
      }
    }
    level = next;
  }
  return found;
}

/** Getters are not run: they are code of the plugin, and may fail as the call did. */
function plainFields(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    const fields = Object.entries(Object.getOwnPropertyDescriptors(value));
    return Object.fromEntries(fields.map(([key, { value: own }]) => [key, own]));
  } catch {
    return {};
  }
}

function textOf(value: unknown, isId: boolean): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (!isId) return undefined;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return isSection(value) ? textOf(plainFields(value).id, true) : undefined;
}

function isOfRoom(object: Readonly<Record<string, unknown>>): boolean {
  if (object.isGroup === true) return true;
  return [object.ChatType, object.chatType, object.kind].some(
    (type) => typeof type === "string" && /^(?:super)?group$|^channel$|^room$/.test(type),
  );
}

function isWritten(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
