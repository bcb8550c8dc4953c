/** Name of the file with the tasks, in the workspace of the agent. */
export const HEARTBEAT_FILE = "HEARTBEAT.md";

/** Lines without a task: headings, check boxes and bullets without text. */
const EMPTY_LINE = /^(?:#{1,6}(?:\s.*)?|(?:[-*+]|\d+[.)])?\s*(?:\[[ xX]?\])?)$/;

/**
 * Returns true when a file has a task. Without one a heartbeat calls no model (JOB-035): blank lines, headings, comments
 * of HTML (one that is not closed hides the rest), check boxes and bullets without text are not tasks.
 * @param text - content of HEARTBEAT.md
 */
export function hasTask(text: string): boolean {
  const visible = text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "");
  return visible.split(/\r\n|\r|\n/).some((line) => !EMPTY_LINE.test(line.trim()));
}
