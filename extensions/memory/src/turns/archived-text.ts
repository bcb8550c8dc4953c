const BEGIN = "<!-- archived conversation";
const END = "<!-- end of archived conversation -->";

/**
 * Returns the entry of a daily note for an archived conversation.
 * @param runId - run that compacted the conversation
 * @param text - its messages
 */
export function archivedEntry(runId: string, text: string): string {
  return `${markOf(runId)}\n${text.replaceAll("<!--", "<! --")}\n${END}`;
}

/**
 * Returns true when a note has the archive of a run already.
 * @param note - content of a daily note
 */
export function hasArchive(note: string, runId: string): boolean {
  return note.includes(markOf(runId));
}

/**
 * Returns a note without archived conversations, which were removed from the prompt on purpose.
 * @param note - content of a daily note
 */
export function withoutArchives(note: string): string {
  const parts = note.split(BEGIN);
  const [first = "", ...archives] = parts;
  const rest = archives.map((part) => {
    const end = part.indexOf(END);
    return end === -1 ? "" : part.slice(end + END.length);
  });
  return [first, ...rest]
    .map((part) => part.replace(/\n*\[\d{2}:\d{2}:\d{2}\]\s*$/, "").trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

function markOf(runId: string): string {
  return `${BEGIN} ${runId.replaceAll(/[^\w.:-]/g, "")} -->`;
}
