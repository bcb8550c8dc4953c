/** Size of the work that a message asks for. */
export type MessageSize = "simple" | "default" | "complex";

/** Number of characters from which a message is complex. */
const COMPLEX_CHARACTERS = 1000;
/** Maximum number of characters of a simple message. */
const SIMPLE_CHARACTERS = 200;
const CODE_FENCE = /^ {0,3}(?:```|~~~)/m;
/** Verbs of work that takes several steps, in any form. */
const WORK =
  /\b(?:implement|refactor|debug|optimi[sz]|rewrit|migrat|architect|analy[sz]|investigat|troubleshoot|diagnos|benchmark)\w*/i;

/**
 * Estimates the size of the work that a message asks for (LLM-034): `complex` with a fenced code block, 1000 or more
 * characters or a verb such as implement; `simple` up to 200 characters without these; `default` in between.
 * @param text - text of the message
 */
export function messageSize(text: string): MessageSize {
  const { length } = text;
  if (length >= COMPLEX_CHARACTERS || CODE_FENCE.test(text) || WORK.test(text)) return "complex";
  return length <= SIMPLE_CHARACTERS ? "simple" : "default";
}
