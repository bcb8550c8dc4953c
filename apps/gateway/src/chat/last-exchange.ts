import { type ConversationPartner, shownText } from "@openclaw/client/conversation";
import { withoutCommandContext } from "./input/command-context.js";
import type { ChatView } from "./view.js";

/** Messages that are read of a conversation. */
const READ = 50;
const UNFINISHED: ReadonlySet<string> = new Set(["queued", "running", "awaiting_approval"]);

/**
 * Shows the last exchange of a conversation that a chat continues; nothing of a new one, or while a turn runs, which is
 * shown as it goes.
 * @param partner - gateway and session
 * @param view - screen of the chat
 * @param isUnused - returns false once the user has sent something
 */
export async function showLastExchange(
  { call, sessionKey }: Pick<ConversationPartner, "call" | "sessionKey">,
  view: Pick<ChatView, "message" | "note" | "reply">,
  isUnused: () => boolean,
): Promise<void> {
  const { messages, runs, hasMore } = await call("chat.history", { sessionKey, limit: READ });
  const last = messages.findLastIndex(({ role }) => role === "user");
  const asked = messages[last];
  if (asked === undefined || runs.some(({ state }) => UNFINISHED.has(state)) || !isUnused()) return;
  const reply = messages
    .slice(last)
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => shownText(content))
    .filter((text) => text !== "")
    .join("\n\n");
  const count = `${hasMore ? "more than " : ""}${messages.length}`;
  view.note(`Continues a conversation of ${count} messages. Its last exchange:`, "info");
  view.message(withoutCommandContext(shownText(asked.content)), "you");
  if (reply !== "") view.reply().startText(reply);
}
