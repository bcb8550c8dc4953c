import { v7 } from "uuid";
import { randomIdBytes } from "./random-bytes.js";

const ID_BYTES = 16;

/**
 * Returns a UUID of version 7, which begins with the time, so that later IDs sort later. Rows of new messages
 * and runs are then stored next to each other; random IDs would each touch a separate page.
 * @param now - milliseconds since the epoch
 */
export function orderedId(now: number): string {
  return v7({ msecs: now, random: randomIdBytes(ID_BYTES) });
}

const MAX_SEQUENCE = 0xffff_ffff;

/**
 * Creates a generator of {@link orderedId}s in which every ID sorts after the previous one, also when the
 * clock stops or is set back.
 * @returns function that creates an ID from the time in milliseconds since the epoch
 */
export function orderedIds(): (now: number) => string {
  let last = Number.NEGATIVE_INFINITY;
  let sequence = 0;
  return (now) => {
    if (now > last) {
      last = now;
      // The upper half is reserved for counting.
      sequence = Math.floor(Math.random() * (MAX_SEQUENCE / 2));
    } else if (sequence < MAX_SEQUENCE) {
      sequence += 1;
    } else {
      last += 1;
      sequence = 0;
    }
    return v7({ msecs: last, seq: sequence, random: randomIdBytes(ID_BYTES) });
  };
}
