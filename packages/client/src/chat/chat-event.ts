import type {
  ApprovalSummary,
  GatewayEventName,
  GatewayEventPayload,
  WireError,
} from "@openclaw/protocol";
import type { ReceivedEvent } from "../connection/event.js";

type Data<Name extends GatewayEventName> = Omit<
  GatewayEventPayload<Name>,
  "sessionKey" | "messageId"
>;

/** End of the answer to a message. */
export type ChatEnd =
  | (({ readonly type: "final" } & Omit<Data<"chat.final">, "stopReason" | "usage">) &
      Partial<Pick<Data<"chat.final">, "stopReason" | "usage">>)
  | { readonly type: "error"; readonly error: Pick<WireError, "reason" | "message"> };

/** Event of the answer to a message; the last one is a {@link ChatEnd}. */
export type ChatEvent =
  /** The message is stored; its answer follows, also when this client disconnects. */
  | { readonly type: "sent"; readonly messageId: string; readonly sessionKey: string }
  /** The turn starts, or resumes after an approval or a restart of the gateway. */
  | ({ readonly type: "started" } & Omit<GatewayEventPayload<"chat.started">, "sessionKey">)
  /** The history has the turn, whose first events are missing. */
  | { readonly type: "found"; readonly runId: string; readonly messageId: string }
  | { readonly type: "text"; readonly delta: string }
  /** Previews of text are missing; the text of `final` is complete. */
  | { readonly type: "text-lost" }
  | ({ readonly type: "tool-started" } & Data<"tool.started">)
  | ({ readonly type: "tool-update" } & Data<"tool.update">)
  | ({ readonly type: "tool-blocked" } & Data<"tool.blocked">)
  | ({ readonly type: "tool-result" } & Data<"tool.result">)
  /** An approval request of the session is new or settled. */
  | { readonly type: "approval"; readonly approval: ApprovalSummary }
  | { readonly type: "paused"; readonly approvalId: string }
  /** A model has not begun to respond; sent every 10 seconds. */
  | ({ readonly type: "model-waiting" } & Data<"chat.waiting">)
  /** A model request failed and is repeated after a wait. */
  | ({ readonly type: "model-retry" } & Data<"chat.retry">)
  /** A model failed, and another one is called instead. */
  | ({ readonly type: "model-failover" } & Data<"chat.failover">)
  /** Part of the context window that the conversation uses; sent after each model call. */
  | ({ readonly type: "context-used" } & Data<"chat.context">)
  | ChatEnd;

/**
 * Returns the event of a conversation in its form for readers of one answer or of a whole session.
 * @param event - event of the gateway
 * @returns undefined for an event that is not part of a conversation
 */
export function chatEventOf(event: ReceivedEvent): ChatEvent | undefined {
  switch (event.name) {
    case "chat.started":
      return { type: "started", ...event.payload };
    case "chat.delta":
      return { type: "text", delta: event.payload.delta };
    case "chat.paused":
      return { type: "paused", approvalId: event.payload.approvalId };
    case "chat.waiting":
      return { type: "model-waiting", ...event.payload };
    case "chat.retry":
      return { type: "model-retry", ...event.payload };
    case "chat.failover":
      return { type: "model-failover", ...event.payload };
    case "chat.context":
      return { type: "context-used", ...event.payload };
    case "chat.final":
      return { type: "final", ...event.payload };
    case "chat.error":
      return { type: "error", error: event.payload.error };
    case "tool.started":
      return { type: "tool-started", ...event.payload };
    case "tool.update":
      return { type: "tool-update", ...event.payload };
    case "tool.blocked":
      return { type: "tool-blocked", ...event.payload };
    case "tool.result":
      return { type: "tool-result", ...event.payload };
    case "approval.requested":
    case "approval.resolved":
      return { type: "approval", approval: event.payload };
    default:
      return undefined;
  }
}

/**
 * Returns the session, the turn and the message of an event of a conversation.
 * @param event - event of the gateway
 */
export function conversationOf(event: ReceivedEvent): {
  readonly sessionKey?: string;
  readonly runId?: string | undefined;
  readonly messageId?: string;
} {
  switch (event.name) {
    case "chat.started":
    case "chat.delta":
    case "chat.paused":
    case "chat.waiting":
    case "chat.retry":
    case "chat.failover":
    case "chat.final":
    case "chat.error":
    case "tool.started":
    case "tool.update":
    case "tool.blocked":
    case "tool.result":
      return event.payload;
    case "approval.requested":
    case "approval.updated":
    case "approval.resolved":
      return { sessionKey: event.payload.sessionKey };
    default:
      return {};
  }
}
