import { randomUUID } from "node:crypto";
import { defined, startOfText } from "@openclaw/foundation";
import { DEFAULT_ACCOUNT } from "@openclaw/messaging";
import type {
  AdapterChannel,
  ChannelRoom,
  IncomingMessage,
  OlderInboundContext,
} from "@openclaw/plugin-sdk/channel-core";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import { bareTarget, senderNormalizer } from "./sender.js";

/** Maximum number of characters of a quoted message that the model sees. */
const MOST_QUOTED = 1000;

/**
 * Fills the fields of a message that follow from others: each text from the next best one, and the type of the
 * conversation.
 * @param context - fields of the message
 * @returns a copy
 */
export function finalizeInboundContext<Context extends OlderInboundContext>(
  context: Context,
): Context & OlderInboundContext {
  const given: OlderInboundContext = context;
  const raw = first(given.RawBody, given.Body);
  const command = first(given.CommandBody, given.BodyForCommands, raw);
  return {
    ...context,
    ...defined({
      Body: first(given.Body, raw),
      RawBody: raw,
      CommandBody: command,
      BodyForCommands: first(given.BodyForCommands, command),
      BodyForAgent: first(given.BodyForAgent, given.Body, command),
      ChatType: chatType(given.ChatType),
    }),
    CommandAuthorized: given.CommandAuthorized === true,
  };
}

/**
 * Returns the channel and the account that a message names.
 * @param context - message of an older plugin
 */
export function placeOf(context: OlderInboundContext): {
  readonly channel: string | undefined;
  readonly accountId: string;
} {
  const { OriginatingChannel, Surface, Provider, AccountId } = context;
  return {
    channel: first(OriginatingChannel, Surface, Provider)?.toLowerCase(),
    accountId: first(AccountId) ?? DEFAULT_ACCOUNT,
  };
}

/** Options of {@link incomingOf}. */
export interface ReadingOptions {
  readonly channel: AdapterChannel;
  readonly accountId: string;
  /** True when the host decides by mentions; otherwise the plugin has decided. */
  readonly decidesMentions: boolean;
  readonly attachments: readonly AttachmentMeta[];
}

/**
 * Returns a message of an older plugin in the form of every channel.
 * @param context - message as the plugin describes it
 * @param options - channel, account and stored attachments
 */
export function incomingOf(
  context: OlderInboundContext,
  { channel, accountId, decidesMentions, attachments }: ReadingOptions,
): IncomingMessage {
  const full = finalizeInboundContext(context);
  const normalize = senderNormalizer(channel);
  const conversationId = first(full.OriginatingTo, full.To, full.From, full.SenderId) ?? "unknown";
  const room = roomOf(full, channel.id, conversationId);
  const threadId = full.MessageThreadId === undefined ? undefined : String(full.MessageThreadId);
  return defined({
    id: randomUUID(),
    channel: channel.id,
    accountId,
    userId: normalize(first(full.SenderId, full.From) ?? conversationId),
    userName: first(full.SenderName, textOf(full.SenderUsername)),
    content: contentOf(full),
    threadId: threadId === "" ? undefined : threadId,
    receivedAt: new Date(timeOf(full.Timestamp)),
    metadata: defined({
      conversationLabel: textOf(full.ConversationLabel),
      groupSubject: textOf(full.GroupSubject),
      replyToId: textOf(full.ReplyToId),
    }),
    attachments: attachments.length === 0 ? undefined : attachments,
    conversationId,
    room,
    externalId: first(full.MessageSid),
    isMention: room === undefined ? undefined : !decidesMentions || full.WasMentioned === true,
    isBot: full.SenderIsBot === true ? true : undefined,
  });
}

/** A command is read from what the person wrote, not from a text with an envelope or quotes. */
function contentOf(context: OlderInboundContext): string {
  const command = first(context.CommandBody)?.trim() ?? "";
  if (command.startsWith("/")) return command;
  const text =
    first(context.BodyForAgent, context.Body, context.CommandBody, context.RawBody) ?? "";
  const quoted = textOf(context.ReplyToBody);
  if (quoted === undefined || text.includes(quoted)) return text;
  const sender = textOf(context.ReplyToSender) ?? "an earlier message";
  return `${text}\n\n[In reply to ${sender}: ${startOfText(quoted, MOST_QUOTED)}]`;
}

function roomOf(
  context: OlderInboundContext,
  channel: string,
  conversationId: string,
): ChannelRoom | undefined {
  const type = chatType(context.ChatType);
  if (type === "direct") return undefined;
  const { GroupId, NativeChannelId } = context;
  const id = textOf(GroupId) ?? textOf(NativeChannelId) ?? bareTarget(channel, conversationId);
  return { kind: type === "group" ? "group" : "channel", id };
}

function chatType(written: string | undefined): "direct" | "group" | "channel" {
  switch (written?.trim().toLowerCase()) {
    case "group":
    case "supergroup":
    case "room":
      return "group";
    case "channel":
    case "thread":
    case "stream":
      return "channel";
    default:
      return "direct";
  }
}

function timeOf(timestamp: unknown): number {
  return typeof timestamp === "number" && Number.isFinite(timestamp) && timestamp > 0
    ? timestamp
    : Date.now();
}

function first(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => typeof value === "string" && value !== "");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
