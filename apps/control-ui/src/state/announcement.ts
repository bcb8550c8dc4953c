import { signal } from "@preact/signals";

/** Sentence for a screen reader, with its urgency. */
export interface Announcement {
  readonly text: string;
  readonly isUrgent: boolean;
}

/** Last sentence that was announced. */
export const announcement = signal<Announcement>({ text: "", isUrgent: false });

/**
 * Tells a screen reader something that happened elsewhere on the page.
 * @param text - sentence
 * @param isUrgent - true interrupts what is being read
 */
export function announce(text: string, isUrgent = false): void {
  announcement.value = { text, isUrgent };
}
