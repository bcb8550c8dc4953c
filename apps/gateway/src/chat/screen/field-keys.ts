import { matchesKey } from "@earendil-works/pi-tui";

/**
 * Keys that edit a field in addition to letters. None of them begins with Escape and a letter, which is how a terminal also
 * sends these two keys when they are pressed one after the other.
 */
const FIELD_KEYS = [
  ...(["left", "right", "home", "end", "delete", "backspace"] as const),
  ...(["ctrl+a", "ctrl+b", "ctrl+e", "ctrl+f", "ctrl+k", "ctrl+u", "ctrl+w", "ctrl+y"] as const),
];

/** Moves the cursor of a field behind its text. */
export const END_KEY = "\u0005";

/**
 * Returns true for a key that edits a field.
 * @param data - key, as the terminal sends it
 */
export function isForField(data: string, text: string | undefined): boolean {
  return text !== undefined || FIELD_KEYS.some((key) => matchesKey(data, key));
}
