import type { AgentMessage } from "@openclaw/plugin-sdk/tools";

/** Size of all kept messages together, as {@link keptSize} estimates it. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Estimated memory of the objects of a message, in bytes; its strings take about a byte for each character. */
const MESSAGE_BYTES = 200;

/** The messages of one transcript after a place in it, up to the newest that was read. */
export interface KeptMessages {
  /** Messages after this place are kept; 0 for all. */
  readonly afterSeq: number;
  /** Differs when entries were taken back, or made visible again. */
  readonly version: string;
  readonly messages: readonly AgentMessage[];
  /** Place of each message. */
  readonly places: readonly number[];
  /** Estimated memory, in bytes. */
  readonly bytes: number;
}

/**
 * Estimates the memory that messages take while they are kept.
 * @param messages - messages as JSON
 * @returns bytes
 */
export function keptSize(messages: readonly string[]): number {
  return messages.reduce((sum, json) => sum + MESSAGE_BYTES + json.length, 0);
}

/**
 * Messages of transcripts as they were read and parsed last, so that a turn parses only what is new. Transcripts
 * are only appended to; a reader verifies that no entry was removed. The transcripts that were
 * used last are kept, up to a size.
 */
export class TranscriptCache {
  readonly #kept = new Map<string, KeptMessages>();
  readonly #mostBytes: number;
  #bytes = 0;

  /** @param mostBytes - limit of the size of all kept messages */
  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /**
   * Returns the messages that are kept of a transcript.
   * @param sessionId - incarnation of the session
   * @param afterSeq - the messages must begin after this place
   */
  get(sessionId: string, afterSeq: number): KeptMessages | undefined {
    const kept = this.#kept.get(sessionId);
    if (kept?.afterSeq !== afterSeq) return undefined;
    // A session that is only read was also used.
    this.#kept.delete(sessionId);
    this.#kept.set(sessionId, kept);
    return kept;
  }

  /**
   * Keeps the messages of a transcript instead of those that were kept of it.
   * @param sessionId - incarnation of the session
   */
  set(sessionId: string, kept: KeptMessages): void {
    this.#remove(sessionId);
    if (kept.bytes > this.#mostBytes) return;
    this.#kept.set(sessionId, kept);
    this.#bytes += kept.bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(sessionId: string): void {
    this.#bytes -= this.#kept.get(sessionId)?.bytes ?? 0;
    this.#kept.delete(sessionId);
  }
}
