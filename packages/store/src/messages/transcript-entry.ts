import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { isJsonObject } from "../database/json-column.js";

const ROLES: readonly unknown[] = ["user", "assistant", "toolResult"];

/** A message about to be written to a transcript. */
export interface NewTranscriptEntry {
  /** The incarnation of the session, as {@link Session.sessionId}. */
  readonly sessionId: string;
  /** The turn that wrote it. */
  readonly runId?: string | undefined;
  readonly message: AgentMessage;
}

/** A message of a transcript. */
export interface TranscriptEntry extends NewTranscriptEntry {
  /** ULID. */
  readonly entryId: string;
  /** Position in the transcript, from 1; grows with every entry. */
  readonly seq: number;
  /** Time at which it was written, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/**
 * Returns true for a message of a transcript.
 * @param value - parsed JSON
 */
export function isAgentMessage(value: unknown): value is AgentMessage {
  return isJsonObject(value) && ROLES.includes(value.role) && Array.isArray(value.content);
}
