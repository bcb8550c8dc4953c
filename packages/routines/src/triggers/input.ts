import { escapeRoleMarkers, wrapExternalContent } from "@openclaw/safety";
import type { RoutineRun } from "@openclaw/store";

/** Bytes of a text from outside that a prompt shows. */
const MOST_BYTES = 16 * 1024;

/**
 * Returns the task of a run, with the text that set it off marked as untrusted.
 * @param prompt - task of the routine
 */
export function taskText(prompt: string, { input }: Pick<RoutineRun, "input">): string {
  if (input === undefined) return prompt;
  const { source, text } = input;
  const bytes = Buffer.from(text);
  const isCut = bytes.length > MOST_BYTES;
  // A character that was cut in half is left out.
  const shown = isCut
    ? new TextDecoder().decode(bytes.subarray(0, MOST_BYTES), { stream: true })
    : text;
  const end = isCut ? `\n(the first ${MOST_BYTES} of ${bytes.length} bytes)` : "";
  const content = `${escapeRoleMarkers(shown)}${end}`;
  return `${prompt}\n\n${wrapExternalContent({ source, content })}`;
}
