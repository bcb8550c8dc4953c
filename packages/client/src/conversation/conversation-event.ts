import type { ChatEvent } from "../chat/chat-event.js";

type Shown<Event> = Event extends unknown ? Readonly<Omit<Event, "runId">> : never;

type Kept =
  | "text"
  | "text-lost"
  | "tool-update"
  | "tool-blocked"
  | "model-waiting"
  | "model-retry"
  | "model-failover"
  | "context-used";

/** Event that screens show while a reply streams. */
export type ConversationEvent =
  | Shown<Extract<ChatEvent, { type: Kept }>>
  | {
      readonly type: "started";
      readonly runId: string;
      readonly model: string;
      /** Message that the turn answers; absent in the process of the host. */
      readonly messageId?: string | undefined;
    }
  | Extract<ChatEvent, { type: "found" }>
  | {
      readonly type: "tool-started";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly params: unknown;
    }
  | {
      readonly type: "tool-finished";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly outcome: "ok" | "error" | "refused";
      /** One line of the result. */
      readonly preview: string;
      readonly durationMs: number;
      /** Why the tool did not run to its end. */
      readonly failure?: "timed-out" | "interrupted" | "outcome-unknown" | undefined;
      /** Details as the tool returned them, up to 64 KiB of JSON. */
      readonly details?: unknown;
      /** Rule that denied the call; known only to owners, because it names files (POL-029). */
      readonly policy?: { readonly file?: string; readonly key?: string } | undefined;
    };

/**
 * Returns an event of an answer in the form that screens show.
 * @param event - event of a conversation
 * @returns undefined for an event that screens do not show
 */
export function screenEventOf(event: ChatEvent): ConversationEvent | undefined {
  switch (event.type) {
    case "started":
      return {
        ...{ type: "started", runId: event.runId, model: event.model },
        messageId: event.messageId,
      };
    case "found":
    case "text":
    case "text-lost":
    case "tool-update":
    case "tool-started":
    case "tool-blocked":
    case "model-waiting":
    case "model-retry":
    case "model-failover":
    case "context-used":
      return event;
    case "tool-result": {
      const { type: _type, runId: _runId, ...result } = event;
      return { type: "tool-finished", ...result };
    }
    default:
      return undefined;
  }
}
