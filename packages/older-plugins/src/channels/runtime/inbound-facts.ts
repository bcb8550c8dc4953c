import { defined } from "@openclaw/foundation";
import { isSection } from "@openclaw/messaging";
import type { OlderInboundContext } from "@openclaw/plugin-sdk/channel-core";
import { finalizeInboundContext } from "../inbound-context.js";

type Section = Readonly<Record<string, unknown>>;

/**
 * Returns a message in the form of older plugins from the facts that newer ones give: sender, conversation, route, reply
 * and text.
 * @param facts - facts about the message
 */
export function buildInboundContext(facts: Section): OlderInboundContext {
  const sender = sectionOf(facts.sender);
  const conversation = sectionOf(facts.conversation);
  const route = sectionOf(facts.route);
  const reply = sectionOf(facts.reply);
  const message = sectionOf(facts.message);
  const access = sectionOf(facts.access);
  const quote = sectionOf(sectionOf(facts.supplemental).quote);
  const media = Array.isArray(facts.media) ? facts.media.filter(isSection) : [];
  const mentions = sectionOf(access.mentions);
  const raw = textOf(message.rawBody) ?? textOf(message.body);
  return finalizeInboundContext({
    ...defined({
      Body: textOf(message.body) ?? textOf(message.bodyForAgent) ?? raw,
      BodyForAgent: textOf(message.bodyForAgent),
      RawBody: raw,
      CommandBody: textOf(message.commandBody) ?? raw,
      From: textOf(facts.from),
      To: textOf(reply.to),
      SessionKey: textOf(route.dispatchSessionKey) ?? textOf(route.routeSessionKey),
      AccountId: textOf(route.accountId) ?? textOf(facts.accountId),
      AgentId: textOf(route.agentId),
      ChatType: textOf(conversation.kind),
      ConversationLabel: textOf(conversation.label),
      GroupId: conversation.kind === "direct" ? undefined : textOf(conversation.id),
      GroupSubject: conversation.kind === "direct" ? undefined : textOf(conversation.label),
      SenderId: textOf(sender.id),
      SenderName: textOf(sender.name) ?? textOf(sender.displayLabel),
      SenderUsername: textOf(sender.username),
      SenderIsBot: sender.isBot === true ? true : undefined,
      Provider: textOf(facts.provider) ?? textOf(facts.channel),
      Surface: textOf(facts.surface) ?? textOf(facts.provider) ?? textOf(facts.channel),
      OriginatingChannel: textOf(facts.channel),
      OriginatingTo: textOf(reply.originatingTo) ?? textOf(reply.to),
      MessageSid: textOf(facts.messageId),
      MessageThreadId: idOf(reply.messageThreadId) ?? textOf(conversation.threadId),
      ReplyToId: textOf(reply.replyToId),
      ReplyToBody: textOf(quote.body),
      ReplyToSender: textOf(quote.sender),
      Timestamp: typeof facts.timestamp === "number" ? facts.timestamp : undefined,
      WasMentioned: booleanOf(mentions.effectiveWasMentioned) ?? booleanOf(mentions.wasMentioned),
      MediaPaths: listOf(media, "path"),
      MediaUrls: listOf(media, "url"),
      MediaTypes: listOf(media, "contentType"),
      CommandAuthorized: booleanOf(sectionOf(access.commands).authorized),
    }),
    ...sectionOf(facts.extra),
  });
}

function listOf(media: readonly Section[], key: string): readonly string[] | undefined {
  const values = media.flatMap((each) => textOf(each[key]) ?? []);
  return values.length === 0 ? undefined : values;
}

function sectionOf(value: unknown): Section {
  return isSection(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function idOf(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : textOf(value);
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}
