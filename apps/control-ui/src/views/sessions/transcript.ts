import { saveFile } from "../../components/save-file.js";
import { call } from "../../state/link.js";
import type { ListedSession } from "../../state/sessions.js";

/** Messages that are read at a time. */
const PAGE = 200;

/**
 * Saves the conversations of sessions as JSON Lines: one object for each session, each followed by one for each of its
 * messages, oldest first, as the gateway sends them.
 */
export async function exportSessions(sessions: readonly ListedSession[]): Promise<void> {
  const lines: string[] = [];
  for (const session of sessions) {
    const { sessionKey } = session;
    lines.push(JSON.stringify({ type: "session", ...session }));
    for (const message of await messagesOf(sessionKey)) {
      lines.push(JSON.stringify({ type: "message", sessionKey, ...message }));
    }
  }
  const [only] = sessions;
  const name = sessions.length === 1 && only !== undefined ? only.sessionKey : "sessions";
  const file = `${name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.jsonl`;
  saveFile(`${lines.join("\n")}\n`, file, "application/jsonl");
}

async function messagesOf(sessionKey: string) {
  let page = await call("chat.history", { sessionKey, limit: PAGE });
  const pages = [page.messages];
  while (page.hasMore) {
    const before = page.messages[0]?.seq;
    if (before === undefined) break;
    page = await call("chat.history", { sessionKey, limit: PAGE, before });
    pages.unshift(page.messages);
  }
  return pages.flat();
}
