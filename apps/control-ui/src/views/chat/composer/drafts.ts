import { type Signal, signal } from "@preact/signals";

/** Key of a draft in the storage of the browser, before the key of its session. */
const STORED = "openclaw.draft.";

const drafts = new Map<string, Signal<string>>();

/**
 * Returns the draft of a session, which survives a reload and is the same in every tab.
 * @param sessionKey - full key of the session
 */
export function draftOf(sessionKey: string): Signal<string> {
  const known = drafts.get(sessionKey);
  if (known !== undefined) return known;
  const draft = signal(stored(sessionKey));
  drafts.set(sessionKey, draft);
  return draft;
}

/**
 * Changes a draft.
 * @param sessionKey - full key of the session
 * @param text - new text; an empty one removes the draft
 * @param isSecret - true for a credential, which is not stored
 */
export function setDraft(sessionKey: string, text: string, isSecret = false): void {
  draftOf(sessionKey).value = text;
  try {
    const key = STORED + sessionKey;
    if (text === "" || isSecret) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Without storage the draft ends with the page.
  }
}

/**
 * Puts a text that could not be sent before the draft.
 * @param sessionKey - full key of the session
 * @param text - text of a message
 */
export function putIntoDraft(sessionKey: string, text: string): void {
  const draft = draftOf(sessionKey).value;
  setDraft(sessionKey, draft === "" ? text : `${text}\n${draft}`);
}

/**
 * Takes over what another tab writes.
 * @returns function that ends it
 */
export function followDrafts(): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key?.startsWith(STORED) !== true) return;
    draftOf(key.slice(STORED.length)).value = newValue ?? "";
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}

function stored(sessionKey: string): string {
  try {
    return localStorage.getItem(STORED + sessionKey) ?? "";
  } catch {
    return "";
  }
}
