import type { Store } from "../../src/index.js";
import { openTestStore, START } from "./open-store.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Opens a store whose clock the test sets, in days after the start. */
export async function openDatedStore(): Promise<{ store: Store; day(number: number): void }> {
  let time = START;
  const store = await openTestStore({ now: () => time });
  return {
    store,
    day: (number) => {
      time = START + number * DAY_MS;
    },
  };
}
