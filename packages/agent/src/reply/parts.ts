import { isBlank } from "./empty.js";

/** Parts of a turn that are its reply: the text of every model call, or of the last one. */
export type ReplyExtent = "all" | "last";

/** Separates the parts of a reply. */
export const BETWEEN_PARTS = "\n\n";

/**
 * The text of each model call of a turn, of which its reply consists on every surface (TURN-201): all that is not blank, in
 * order. An answer that a plugin had revised is not part of it.
 */
export class ReplyParts {
  readonly #extent: ReplyExtent;
  #texts: readonly string[] = [];

  /** @param extent - model calls whose text is part of the reply */
  constructor(extent: ReplyExtent) {
    this.#extent = extent;
  }

  /** Adds the text of a model call that a further one follows. */
  add(text: string): void {
    if (!isBlank(text)) this.#texts = this.#extent === "all" ? [...this.#texts, text] : [text];
  }

  /**
   * Returns the parts of the reply whose last text is another one.
   * @param text - the last text
   */
  endedBy(text: string): readonly string[] {
    if (isBlank(text)) return this.#texts;
    return this.#extent === "all" ? [...this.#texts, text] : [text];
  }

  /** The parts of the reply so far. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /**
   * Returns the end of a delivered reply that is not in the parts before the last one.
   * @param delivered - reply as it is delivered
   */
  endOf(delivered: string): string {
    if (this.#extent === "last") return delivered;
    const earlier = this.#texts.map((text) => text + BETWEEN_PARTS).join("");
    return delivered.startsWith(earlier) ? delivered.slice(earlier.length) : delivered;
  }
}

/** Returns the text of a reply. */
export function joinReply(parts: readonly string[]): string {
  return parts.join(BETWEEN_PARTS);
}

/**
 * Returns the parts of a reply that was changed after the model wrote it, for surfaces that show each part on its own.
 * Parts between which no boundary is recognisable remain together, so that nothing is lost: the joined parts are the reply.
 * @param text - the reply as it is delivered
 * @param parts - its parts as the model wrote them
 */
export function splitReply(text: string, parts: readonly string[]): readonly string[] {
  const found: string[] = [];
  let rest = text;
  for (const [index, next] of parts.slice(1).entries()) {
    const before = parts[index] + BETWEEN_PARTS;
    const boundary = rest.startsWith(before)
      ? before.length - BETWEEN_PARTS.length
      : rest.indexOf(BETWEEN_PARTS + next);
    if (boundary <= 0) continue;
    found.push(rest.slice(0, boundary));
    rest = rest.slice(boundary + BETWEEN_PARTS.length);
  }
  return rest === "" ? found : [...found, rest];
}
