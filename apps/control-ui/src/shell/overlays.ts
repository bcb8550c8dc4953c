import { signal } from "@preact/signals";

/** Overlay that is open above the view. */
export const overlay = signal<"palette" | "shortcuts" | undefined>(undefined);

/** Opens the command palette. */
export function openPalette(): void {
  overlay.value = "palette";
}

/** Opens the list of keys. */
export function openShortcuts(): void {
  overlay.value = "shortcuts";
}

/** Closes what is open. */
export function closeOverlay(): void {
  overlay.value = undefined;
}
