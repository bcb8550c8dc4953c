import { isBlank } from "./empty.js";

/** Parts of a turn that are its reply: the text of every model call, or of the last one. */
export type ReplyExtent = "all" | "last";

/** Separates the parts of a reply. */
const BETWEEN = "\n\n";

/**
 * The text of each model call of a turn, of which its reply consists on every surface (TURN-201): all that is not blank, in
 * order. An answer that a plugin had revised is not part of it.
 */
export class ReplyParts {
  readonly #extent: ReplyExtent;
  #earlier = "";
  #last = "";

  /** @param extent - model calls whose text is part of the reply */
  constructor(extent: ReplyExtent) {
    this.#extent = extent;
  }

  /**
   * Adds the text of a model call that a further one follows.
   * @param text - its text
   */
  add(text: string): void {
    if (isBlank(text)) return;
    if (this.#extent === "all") this.#earlier += text + BETWEEN;
    this.#last = text;
  }

  /**
   * Returns the reply whose last text is another one.
   * @param text - the last text
   */
  endedBy(text: string): string {
    return isBlank(text) ? this.text : this.#earlier + text;
  }

  /** The text of the last model call that gave one, for replies that end early. */
  get last(): string {
    return this.#last;
  }

  /** The reply so far. */
  get text(): string {
    return this.#extent === "last" ? this.#last : this.#earlier.slice(0, -BETWEEN.length);
  }

  /**
   * Returns the end of a delivered reply that is not in the parts before the last one.
   * @param delivered - reply as it is delivered
   */
  endOf(delivered: string): string {
    return delivered.startsWith(this.#earlier) ? delivered.slice(this.#earlier.length) : delivered;
  }
}
