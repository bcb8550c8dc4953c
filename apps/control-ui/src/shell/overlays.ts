import { signal } from "@preact/signals";

/** Overlay that is open above the view. */
export const overlay = signal<"palette" | "shortcuts" | "more" | undefined>(undefined);

/** Opens the command palette. */
export function openPalette(): void {
  overlay.value = "palette";
}

/** Opens the views that the bar of narrow screens has no room for. */
export function openMore(): void {
  overlay.value = "more";
}

/** Opens the list of keys. */
export function openShortcuts(): void {
  overlay.value = "shortcuts";
}

/** Closes what is open. */
export function closeOverlay(): void {
  overlay.value = undefined;
}
