import type { Signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { viewKeys } from "./keyboard.js";

/** List whose rows are reached with keys. */
interface KeyedList {
  /** Keys of the rows, in their order. */
  readonly keys: readonly string[];
  /** Key of the row with the cursor. */
  readonly cursor: Signal<string | undefined>;
  /** Names of the keys in the list of keys. */
  readonly words: { readonly next: string; readonly previous: string; readonly open: string };
  /**
   * Moves the cursor, for a list that is too long for its keys.
   * @param step - rows, negative for those before
   */
  move?(step: number): void;
  /** Opens a row. */
  open(key: string): void;
}

/** Lets `j`, `k` and Enter move through a list and open a row of it. */
export function useListKeys({ keys, cursor, words, move: moveOwn, open }: KeyedList): void {
  useLayoutEffect(() => {
    const move = (step: number) => {
      if (moveOwn !== undefined) {
        moveOwn(step);
        return;
      }
      const index = keys.indexOf(cursor.value ?? "");
      cursor.value = keys[Math.min(keys.length - 1, Math.max(0, index + step))];
    };
    const own = [
      { key: "j", title: words.next, run: () => move(1) },
      { key: "k", title: words.previous, run: () => move(-1) },
      {
        ...{ key: "Enter", title: words.open },
        run: () => {
          if (cursor.value !== undefined) open(cursor.value);
        },
      },
    ];
    viewKeys.value = [...viewKeys.peek(), ...own];
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  });
}
