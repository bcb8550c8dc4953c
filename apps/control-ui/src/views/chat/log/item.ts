import type { Signal } from "@preact/signals";

/** Image of a message, as the gateway finds it. */
export interface StoredImageId {
  readonly sessionKey: string;
  /** Position of the message. */
  readonly seq: number;
  /** Number of the image among those of the message. */
  readonly image: number;
}

/** Text that a plugin added to a result for the model. */
export interface Guidance {
  readonly pluginId: string;
  readonly text: string;
}

/** State of a tool call. */
export interface ToolState {
  readonly status:
    | "waiting"
    | "running"
    | "ok"
    | "failed"
    | "refused"
    | "timed-out"
    | "interrupted"
    | "outcome-unknown";
  /** Output so far, or the whole one. */
  readonly output: string;
  readonly durationMs?: number | undefined;
  /** Rule that denied the call. */
  readonly rule?: string | undefined;
  readonly images?: readonly StoredImageId[] | undefined;
  readonly details?: unknown;
  readonly guidance?: readonly Guidance[] | undefined;
}

/** Call of a tool in a reply. */
export interface ToolPart {
  readonly kind: "tool";
  readonly id: string;
  readonly name: string;
  readonly params: unknown;
  readonly state: Signal<ToolState>;
}

/**
 * Returns what identifies a call: models use the same IDs again in other turns and sessions.
 * @param runId - ID of the turn
 * @param toolCallId - ID that the model gave the call
 */
export function callKey(runId: string | undefined, toolCallId: string | undefined): string {
  return JSON.stringify([runId, toolCallId]);
}

/** Paragraphs of a reply, or what the model thought. */
export interface TextPart {
  readonly kind: "text" | "thinking";
  readonly id: string;
  readonly markdown: Signal<string>;
}

/** Part of a reply. */
export type Part = TextPart | ToolPart;

/** Message of a person. */
export interface MessageItem {
  readonly kind: "message";
  readonly key: string;
  readonly text: string;
  /** True for a message of another client. */
  readonly isForeign: boolean;
  readonly at?: number | undefined;
  /** Position in the conversation; absent until the history has it. */
  readonly seq?: number | undefined;
  readonly images?: readonly StoredImageId[] | undefined;
}

/** Reply of the agent. */
export interface ReplyItem {
  readonly kind: "reply";
  readonly key: string;
  readonly runId?: string | undefined;
  readonly at?: number | undefined;
  readonly model: Signal<string | undefined>;
  /** Position of its last entry in the conversation; undefined until the history has it. */
  readonly through: Signal<number | undefined>;
  readonly parts: Signal<readonly Part[]>;
  /** Why the turn ended without a whole reply. */
  readonly problem: Signal<{ readonly text: string; readonly isError: boolean } | undefined>;
}

/** Line about the conversation. */
export interface NoteItem {
  readonly kind: "note";
  readonly key: string;
  readonly text: string;
  readonly isError: boolean;
}

/** Entry of a conversation on the page. */
export type Item = MessageItem | ReplyItem | NoteItem;
