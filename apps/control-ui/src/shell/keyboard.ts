import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { undoLast } from "../state/toast.js";
import { text } from "./messages.js";
import { openPalette, openShortcuts, overlay } from "./overlays.js";
import { PLACES } from "./places.js";

/** Key of a view, with what it does there. */
export interface ViewKey {
  readonly key: string;
  readonly title: string;
  run(): void;
}

const STORED = "openclaw.keys";
/** Time in milliseconds in which the second key of a pair follows. */
const PAIR_MS = 1500;

/** True if single letters do something. */
export const hasLetterKeys = signal(storedChoice());

/** Keys of the view on the page. */
export const viewKeys = signal<readonly ViewKey[]>([]);

/** Lets `/` focus a field while it is on the page. */
export function useFocusKey(field: RefObject<HTMLInputElement | null>): void {
  useLayoutEffect(() => {
    const own = { key: "/", title: text.filter, run: () => field.current?.focus() };
    viewKeys.value = [...viewKeys.peek(), own];
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => each !== own);
    };
  }, [field]);
}

/**
 * Switches single letters on or off, for later visits too.
 * @param isOn - true if they do something
 */
export function chooseLetterKeys(isOn: boolean): void {
  hasLetterKeys.value = isOn;
  try {
    if (isOn) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, "off");
  } catch {
    // Without storage the choice ends with the page.
  }
}

/**
 * Listens to the keys of the console.
 * @param navigate - goes to a path
 * @returns function that ends it
 */
export function listenToKeys(navigate: (path: string) => void): () => void {
  let isGoing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onKey = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openPalette();
      return;
    }
    if (isBusy(event)) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      undoLast();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") {
      openShortcuts();
      return;
    }
    if (!hasLetterKeys.value) return;
    if (isGoing) {
      isGoing = false;
      clearTimeout(timer);
      const place = PLACES.find(({ key }) => key === event.key);
      if (place !== undefined) navigate(place.path);
      return;
    }
    if (event.key === "g") {
      isGoing = true;
      timer = setTimeout(() => {
        isGoing = false;
      }, PAIR_MS);
      return;
    }
    const own = viewKeys.value.find(({ key }) => key === event.key);
    if (own === undefined) return;
    event.preventDefault();
    own.run();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

/** A key belongs to the field or the dialog that has the focus; a repeated one was pressed for something else. */
function isBusy(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  // A key that is held moves through a list, and decides nothing twice.
  if (event.repeat && !/^[jk]$/.test(event.key)) return true;
  if (overlay.value !== undefined || document.querySelector("dialog[open]") !== null) return true;
  const { target } = event;
  // Enter on a control is that control's, also where a list opens its row with it.
  if (event.key === "Enter" && target instanceof Element) {
    if (target.closest("a[href], button, summary") !== null) return true;
  }
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName))
  );
}

function storedChoice(): boolean {
  try {
    return localStorage.getItem(STORED) !== "off";
  } catch {
    return true;
  }
}
