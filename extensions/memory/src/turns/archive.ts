import type { MemoryArchive } from "@openclaw/plugin-sdk/plugin-entry";
import { messageText } from "@openclaw/plugin-sdk/tools";
import type { Documents } from "../documents/documents.js";
import type { Notes } from "../documents/notes.js";
import { dailyPath } from "../documents/path.js";
import { ownerOf } from "../owner.js";
import { archivedEntry, hasArchive } from "./archived-text.js";
import { withoutExternalText } from "./external-text.js";

/** Dependencies of {@link archiveMessages}. */
interface ArchiveDependencies {
  readonly documents: Documents;
  readonly notes: Notes;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

const ARCHIVE_TITLE = "Archived Context";

/**
 * Moves old messages of a conversation, or the summary that replaces them, to the daily note (MEM-040, SUB-038). Results of tools and text from outside are left out,
 * so that only words of the user and the assistant are remembered.
 * @param memory - documents and notes
 * @param archive - the messages, and whose they are
 */
export async function archiveMessages(
  { documents, notes, now }: ArchiveDependencies,
  { messages, summary, agentId, requester, runId }: MemoryArchive,
): Promise<void> {
  const owner = ownerOf({ agentId, ...requester });
  if (owner === undefined) return;
  const lines = messages.flatMap((message) => {
    if (message.role === "toolResult") return [];
    const text = withoutExternalText(messageText(message));
    return text === "" ? [] : [`${message.role === "user" ? "User" : "Assistant"}: ${text}`];
  });
  const title = summary === undefined ? ARCHIVE_TITLE : `Context Summary (${utcTime(now())} UTC)`;
  const text = summary === undefined ? lines.join("\n\n") : withoutExternalText(summary);
  if (text.trim() === "") return;
  const today = await documents.find(owner, dailyPath(notes.today()));
  // A resumed run compacts again when it was stopped before it could note that it did.
  if (today !== undefined && hasArchive(today.content, runId)) return;
  await notes.log(owner, archivedEntry(runId, `## ${title}\n\n${text}`));
}

function utcTime(now: number): string {
  return new Date(now).toISOString().slice(11, 16);
}
