/** Text of a reply up to the first of its stop sequences. */
export interface StoppedText {
  readonly text: string;
  /** The sequence at which it ends; undefined when the text contains none. */
  readonly sequence: string | undefined;
}

/**
 * Ends a text before the first of the stop sequences of a request, as every provider does.
 * @param text - text of the script
 * @param sequences - value of the request's field, checked or not
 */
export function endedAtSequence(text: string, sequences: unknown): StoppedText {
  const asked: readonly unknown[] = Array.isArray(sequences) ? sequences : [sequences];
  let ended: StoppedText = { text, sequence: undefined };
  for (const sequence of asked) {
    if (typeof sequence !== "string" || sequence === "") continue;
    const end = ended.text.indexOf(sequence);
    if (end >= 0) ended = { text: text.slice(0, end), sequence };
  }
  return ended;
}
