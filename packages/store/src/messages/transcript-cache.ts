import type { TranscriptEntry } from "./transcript-entry.js";

/** Characters of JSON that all kept entries have together. */
const MOST_CHARACTERS = 8_000_000;

/** The entries of one transcript after a place in it, up to the newest that was read. */
export interface KeptEntries {
  /** Entries after this one are kept; 0 for all. */
  readonly afterSeq: number;
  readonly entries: readonly TranscriptEntry[];
  /** Characters of their JSON. */
  readonly characters: number;
}

/**
 * Entries of transcripts as they were read and parsed last, so that a turn parses only what is new. Transcripts
 * are only appended to; a reader verifies that no entry was removed. The transcripts that were
 * used last are kept, up to a number of characters.
 */
export class TranscriptCache {
  readonly #kept = new Map<string, KeptEntries>();
  readonly #mostCharacters: number;
  #characters = 0;

  /** @param mostCharacters - limit of the JSON of all kept entries */
  constructor(mostCharacters = MOST_CHARACTERS) {
    this.#mostCharacters = mostCharacters;
  }

  /**
   * Returns the entries that are kept of a transcript.
   * @param sessionId - incarnation of the session
   * @param afterSeq - the entries must begin after this place
   */
  get(sessionId: string, afterSeq: number): KeptEntries | undefined {
    const kept = this.#kept.get(sessionId);
    return kept?.afterSeq === afterSeq ? kept : undefined;
  }

  /**
   * Keeps the entries of a transcript instead of those that were kept of it.
   * @param sessionId - incarnation of the session
   * @param kept - the entries
   */
  set(sessionId: string, kept: KeptEntries): void {
    this.#remove(sessionId);
    if (kept.characters > this.#mostCharacters) return;
    this.#kept.set(sessionId, kept);
    this.#characters += kept.characters;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= this.#mostCharacters) break;
      this.#remove(oldest);
    }
  }

  #remove(sessionId: string): void {
    this.#characters -= this.#kept.get(sessionId)?.characters ?? 0;
    this.#kept.delete(sessionId);
  }
}
