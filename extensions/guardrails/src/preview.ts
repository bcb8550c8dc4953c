import type { ReplyPreview } from "@openclaw/plugin-sdk/hooks";

/** Characters that are kept of the text that was shown: the text before a match can decide about it. */
const CONTEXT = 96;

/** Shows a text unchanged, for a handler that changes nothing. */
export const UNCHANGED: ReplyPreview = { push: (delta) => delta, flush: () => "" };

/** Way to change a text part by part. */
export interface TextParts {
  /**
   * Returns the end of the part of a text that no later character can change; 0 while there is none.
   * @param text - text that is not shown yet
   */
  settled(text: string): number;
  /**
   * Returns a part as it is shown.
   * @param part - part of the text
   * @param before - end of the text before it, as it was written
   */
  shown(part: string, before: string): string;
}

/** Shows a text once no later character can change it; the rest waits. */
export class PartPreview implements ReplyPreview {
  readonly #parts: TextParts;
  #held = "";
  #before = "";

  /** @param parts - where a text can be divided, and how a part is shown */
  constructor(parts: TextParts) {
    this.#parts = parts;
  }

  push(delta: string): string {
    this.#held += delta;
    return this.#take(this.#parts.settled(this.#held));
  }

  flush(): string {
    const rest = this.#take(this.#held.length);
    this.#before = "";
    return rest;
  }

  #take(end: number): string {
    if (end === 0) return "";
    const part = this.#held.slice(0, end);
    const shown = this.#parts.shown(part, this.#before);
    this.#before = (this.#before + part).slice(-CONTEXT);
    this.#held = this.#held.slice(end);
    return shown;
  }
}
