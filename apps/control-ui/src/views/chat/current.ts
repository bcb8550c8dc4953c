import { signal } from "@preact/signals";
import { connection } from "../../state/link.js";
import { Conversation } from "./conversation.js";

/** Conversation on the page. */
export const current = signal<Conversation | undefined>(undefined);

/** Conversations that are not on the page, and whose answers still come. */
const leaving = new Set<Conversation>();

/**
 * Shows the conversation of a session.
 * @param sessionKey - full key of the session
 */
export function openConversation(sessionKey: string): void {
  const over = connection.peek();
  const before = current.peek();
  if (over === undefined) return;
  if (before?.sessionKey === sessionKey && before.connection === over) return;
  closeConversation();
  const kept = [...leaving].find(
    (each) => each.sessionKey === sessionKey && each.connection === over,
  );
  if (kept !== undefined) leaving.delete(kept);
  current.value = kept ?? new Conversation(over, sessionKey);
}

/** Takes the conversation from the page; one with an open answer stays until it has ended. */
export function closeConversation(): void {
  const before = current.peek();
  current.value = undefined;
  for (const each of leaving) {
    if (each.isInUse) continue;
    leaving.delete(each);
    each.end();
  }
  if (before === undefined) return;
  if (before.isInUse && before.connection === connection.peek()) leaving.add(before);
  else before.end();
}
