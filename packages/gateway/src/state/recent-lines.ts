import type { GatewayEventPayload } from "@openclaw/protocol";
import { readLogLine } from "./log-line.js";

/** Line of a log. */
export type LogLine = GatewayEventPayload<"log">;

/** Number of lines that are kept (HOST-039). */
const MOST_LINES = 512;

interface Kept {
  readonly text: string;
  readonly isWritten: boolean;
}

/** The newest lines of a log, in memory, so that lines that a full disk kept out of the file can still be read. */
export class RecentLines {
  readonly #ring: Kept[] = [];
  #next = 0;

  /**
   * Adds a line; the oldest one makes room for it.
   * @param text - JSON of the line
   * @param isWritten - true when the file contains it
   */
  add(text: string, isWritten: boolean): void {
    this.#ring[this.#next] = { text, isWritten };
    this.#next = (this.#next + 1) % MOST_LINES;
  }

  /** Returns the lines that the file does not contain, oldest first. */
  unwritten(): readonly LogLine[] {
    const ordered = [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)];
    return ordered.flatMap(({ text, isWritten }) => (isWritten ? [] : (readLogLine(text) ?? [])));
  }
}
