import { signal } from "@preact/signals";

/** Time in milliseconds in which something can be undone. */
const UNDO_MS = 6000;

/** Notice about something that was done, and can be undone for a while. */
export interface Toast {
  readonly text: string;
  /** Undoes it; absent when it cannot be undone. */
  readonly undo?: (() => void) | undefined;
}

/** Notice on the page. */
export const toast = signal<Toast | undefined>(undefined);

/**
 * Sends what was done to the gateway.
 * @param isLeaving - true when the page is left or the session ends, which closes the connection
 */
type Finish = (isLeaving: boolean) => void;

let pending: { readonly finish: Finish; readonly timer: ReturnType<typeof setTimeout> } | undefined;

/**
 * Shows that something was done, and does it when the time for undoing has passed, the page is left, the session ends,
 * or the next thing is done.
 * @param shown - notice, with what undoes it on the page
 * @param finish - sends it to the gateway
 */
export function undoable(shown: { readonly text: string; undo(): void }, finish: Finish): void {
  finishPending();
  const timer = setTimeout(() => finishPending(), UNDO_MS);
  pending = { finish, timer };
  toast.value = {
    text: shown.text,
    undo() {
      clearTimeout(timer);
      pending = undefined;
      toast.value = undefined;
      shown.undo();
    },
  };
}

/** Undoes the last thing, if it still can be undone. */
export function undoLast(): void {
  toast.value?.undo?.();
}

/**
 * Does what waits for its undo.
 * @param isLeaving - true when the page is left or the session ends
 */
export function finishPending(isLeaving = false): void {
  const due = pending;
  pending = undefined;
  if (due === undefined) return;
  clearTimeout(due.timer);
  toast.value = undefined;
  due.finish(isLeaving);
}
