import type { AttachmentMeta, HookMap, Origin, ReplyPayload } from "@openclaw/plugin-sdk/hooks";
import {
  DECISION_DEADLINE_MS,
  type HookCatalogEntries,
  OBSERVATION_DEADLINE_MS,
  TAKEOVER_DEADLINE_MS,
} from "./entry.js";
import { copied, flag, number, object, oneOf, optional, record, text, threadId } from "./field.js";

const attachments = optional(copied(object<AttachmentMeta[]>("AttachmentMeta[]")));
const metadata = optional(copied(record));

/** Hooks about incoming messages. */
export const inboundCatalog: HookCatalogEntries<
  "transcribe_audio" | "message_receiving" | "message_received" | "inbound_claim" | "request_post"
> = {
  transcribe_audio: {
    kind: "claim",
    summary:
      "Once per audio attachment; the text of the handler that claims it becomes the message's content.",
    step: "I2",
    deadlineMs: TAKEOVER_DEADLINE_MS,
    failure: "open",
    closedFailure: "the attachment stays untranscribed",
    event: {
      audio: copied(
        object<HookMap["transcribe_audio"]["event"]["audio"]>(
          "{ path?, mimeType, bytes, durationMs?, read(): Promise<Uint8Array> }",
        ),
      ),
      channel: text,
      language: optional(text),
      attachmentIndex: number,
    },
    contextGroup: "message",
    context: {},
    result: {
      handled: flag,
      text: optional(text),
      language: optional(text),
      confidence: optional(number),
      provider: optional(text),
    },
  },
  message_receiving: {
    kind: "decide",
    summary:
      "Before any observer, command parser or router sees a message; may rewrite or cancel it.",
    step: "I3",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "the message is cancelled",
    event: {
      content: text,
      from: text,
      channel: text,
      senderId: optional(text),
      threadId: optional(threadId),
      messageId: optional(text),
      replyToId: optional(text),
      timestamp: optional(number),
      isGroup: flag,
      wasMentioned: optional(flag),
      attachments,
      metadata,
    },
    contextGroup: "message",
    context: {},
    result: {
      content: optional(text),
      cancel: optional(flag),
      cancelReason: optional(text),
      reply: optional(text),
      metadata: optional(record),
    },
    merge: {
      content: "last",
      cancel: "any",
      cancelReason: "last",
      reply: "last",
      metadata: "assign",
    },
    terminal: [{ field: "cancel", value: true }],
    deny: (reason) => ({ cancel: true, cancelReason: reason }),
  },
  message_received: {
    kind: "observe",
    summary: "A message as it was accepted; awaited only for fail-closed handlers.",
    step: "I4",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      from: text,
      content: text,
      BodyForAgent: optional(text),
      timestamp: optional(number),
      threadId: optional(threadId),
      replyToId: optional(text),
      messageId: optional(text),
      senderId: optional(text),
      sessionKey: optional(text),
      runId: optional(text),
      media: attachments,
      metadata,
    },
    contextGroup: "message",
    context: {},
  },
  inbound_claim: {
    kind: "claim",
    summary:
      "The first handler that answers `handled: true` takes the message; no agent runs, and its reply is sent.",
    step: "I5",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "the inbound message ends as failed",
    event: {
      content: text,
      body: optional(text),
      bodyForAgent: optional(text),
      transcript: optional(text),
      channel: text,
      senderId: optional(text),
      senderName: optional(text),
      senderUsername: optional(text),
      threadId: optional(threadId),
      messageId: optional(text),
      timestamp: optional(number),
      isGroup: flag,
      commandAuthorized: optional(flag),
      wasMentioned: optional(flag),
      media: attachments,
      metadata,
    },
    contextGroup: "message",
    context: {
      pluginBinding: optional(
        object<{ pluginId: string; bindingId: string; data?: unknown }>(
          "{ pluginId, bindingId, data? }",
        ),
      ),
    },
    result: { handled: flag, reply: optional(object<ReplyPayload>("ReplyPayload")) },
  },
  request_post: {
    kind: "observe",
    summary:
      "Exactly once per inbound message, when its outcome is committed; no content when it was cancelled or a credential.",
    step: "I9",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      outcome: oneOf("queued", "answered", "claimed", "cancelled", "failed"),
      messageId: text,
      answeredBy: optional(oneOf("command", "control", "approval", "notice", "credential")),
      route: optional(
        copied(
          object<Origin & { agentId: string }>("{ agentId, channel?, to?, accountId?, threadId? }"),
        ),
      ),
      sessionKey: optional(text),
      sessionId: optional(text),
      runId: optional(text),
      durationMs: number,
      error: optional(text),
      content: optional(text),
    },
    contextGroup: "message",
    context: {},
  },
};
