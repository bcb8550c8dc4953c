import type {
  AttachmentMeta,
  HookMap,
  InboundSummary,
  ReplyDispatcher,
  ReplyPayload,
} from "@openclaw/plugin-sdk/hooks";
import {
  DECISION_DEADLINE_MS,
  type HookCatalogEntries,
  OBSERVATION_DEADLINE_MS,
  TAKEOVER_DEADLINE_MS,
} from "./entry.js";
import { copied, flag, number, object, oneOf, optional, record, text, threadId } from "./field.js";

/** Maximum size of the `metadata` that a handler of `message_sending` returns, in bytes of JSON. */
const SENDING_METADATA_BYTES = 4_096;

const attachments = optional(copied(object<AttachmentMeta[]>("AttachmentMeta[]")));
const metadata = optional(copied(record));
const payload = object<ReplyPayload>("ReplyPayload");
const deliveryKind = oneOf("final", "block", "tool");

/** Hooks about replies that are sent to a channel. */
export const outboundCatalog: HookCatalogEntries<
  "before_dispatch" | "reply_dispatch" | "message_sending" | "message_sent" | "response_error"
> = {
  before_dispatch: {
    kind: "decide",
    summary:
      "Once per dispatch of a reply, before the hand-off to the channel; may rewrite, cancel or replace it.",
    step: "O2",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "the dispatch is cancelled",
    event: {
      content: text,
      kind: deliveryKind,
      body: optional(text),
      channel: text,
      to: text,
      sessionKey: optional(text),
      senderId: optional(text),
      isGroup: optional(flag),
      replyToId: optional(text),
      threadId: optional(threadId),
      payload: copied(payload),
      timestamp: number,
    },
    contextGroup: "message",
    context: {},
    result: {
      content: optional(text),
      payload: optional(payload),
      cancel: optional(flag),
      cancelReason: optional(text),
      handled: optional(flag),
      text: optional(text),
    },
    merge: {
      content: "last",
      payload: "last",
      cancel: "any",
      cancelReason: "last",
      handled: "any",
      text: "last",
    },
    terminal: [
      { field: "cancel", value: true },
      { field: "handled", value: true },
    ],
    deny: (reason) => ({ cancel: true, cancelReason: reason }),
  },
  reply_dispatch: {
    kind: "claim",
    summary:
      "Once per reply; the first handler that answers `handled: true` delivers it, through the outbound hooks.",
    step: "O1",
    deadlineMs: TAKEOVER_DEADLINE_MS,
    failure: "open",
    closedFailure: "delivery is suppressed",
    event: {
      ctx: copied(object<InboundSummary>("InboundSummary")),
      payloads: copied(object<ReplyPayload[]>("ReplyPayload[]")),
      sendPolicy: oneOf("allow", "deny"),
      shouldRouteToOriginating: flag,
      originatingChannel: optional(text),
      originatingTo: optional(text),
      images: attachments,
      inboundAudio: flag,
      suppressUserDelivery: optional(flag),
      isTailDispatch: optional(flag),
    },
    contextGroup: "message",
    context: {
      dispatcher: optional(object<ReplyDispatcher>("ReplyDispatcher")),
      abortSignal: optional(object<AbortSignal>("AbortSignal")),
      onReplyStart: optional(object<() => void>("() => void")),
      recordProcessed: optional(
        object<(outcome: string, options?: Record<string, unknown>) => void>(
          "(outcome: string, options?: Record<string, unknown>) => void",
        ),
      ),
      markIdle: optional(object<(reason: string) => void>("(reason: string) => void")),
    },
    result: {
      handled: flag,
      queuedFinal: optional(flag),
      counts: optional(
        object<Record<"final" | "block" | "tool", number>>(
          'Record<"final" | "block" | "tool", number>',
        ),
      ),
    },
  },
  message_sending: {
    kind: "decide",
    summary:
      "Every outgoing message, on every path that reaches a channel; may rewrite or cancel it.",
    step: "O4",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "the message is cancelled",
    event: {
      to: text,
      content: text,
      channel: text,
      replyToId: optional(text),
      threadId: optional(threadId),
      metadata,
    },
    contextGroup: "message",
    context: {},
    result: {
      content: optional(text),
      cancel: optional(flag),
      cancelReason: optional(text),
      metadata: optional(
        object<Record<string, unknown>>(
          "Record<string, unknown>, at most 4 KiB of JSON",
          isBounded,
        ),
      ),
    },
    merge: { content: "last", cancel: "any", cancelReason: "last", metadata: "assign" },
    terminal: [{ field: "cancel", value: true }],
    deny: (reason) => ({ cancel: true, cancelReason: reason }),
  },
  message_sent: {
    kind: "observe",
    summary: "Once per outcome of a delivery; delivery does not wait for it.",
    step: "O6",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      to: text,
      content: text,
      success: flag,
      channel: text,
      messageId: optional(text),
      error: optional(text),
      attempts: number,
      sessionKey: optional(text),
      runId: optional(text),
    },
    contextGroup: "message",
    context: {},
  },
  response_error: {
    kind: "observe",
    summary: "Once, when the last attempt to deliver a message failed.",
    step: "O7",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      to: text,
      channel: text,
      content: text,
      error: copied(object<HookMap["response_error"]["event"]["error"]>("{ code, message }")),
      attempts: number,
    },
    contextGroup: "message",
    context: {},
  },
};

function isBounded(value: unknown): boolean {
  if (!record.accepts(value)) return false;
  try {
    return Buffer.byteLength(JSON.stringify(value)) <= SENDING_METADATA_BYTES;
  } catch {
    return false;
  }
}
