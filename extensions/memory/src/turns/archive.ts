import type { MemoryArchive } from "@openclaw/plugin-sdk/plugin-entry";
import { messageText } from "@openclaw/plugin-sdk/tools";
import type { Documents } from "../documents/documents.js";
import type { Notes } from "../documents/notes.js";
import { dailyPath } from "../documents/path.js";
import { ownerOf } from "../owner.js";
import { archivedEntry, hasArchive } from "./archived-text.js";
import { withoutExternalText } from "./external-text.js";

/**
 * Moves old messages of a conversation to the daily note (MEM-040). Results of tools and text from outside are left out,
 * so that only words of the user and the assistant are remembered.
 * @param memory - documents and notes
 * @param archive - the messages, and whose they are
 */
export async function archiveMessages(
  { documents, notes }: { readonly documents: Documents; readonly notes: Notes },
  { messages, agentId, requester, runId }: MemoryArchive,
): Promise<void> {
  const owner = ownerOf({ agentId, ...requester });
  if (owner === undefined) return;
  const lines = messages.flatMap((message) => {
    if (message.role === "toolResult") return [];
    const text = withoutExternalText(messageText(message));
    return text === "" ? [] : [`${message.role === "user" ? "User" : "Assistant"}: ${text}`];
  });
  if (lines.length === 0) return;
  const today = await documents.find(owner, dailyPath(notes.today()));
  // A resumed run compacts again when it was stopped before it could note that it did.
  if (today !== undefined && hasArchive(today.content, runId)) return;
  await notes.log(owner, archivedEntry(runId, lines.join("\n\n")));
}
