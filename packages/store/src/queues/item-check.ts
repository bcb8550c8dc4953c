import { StoreArgumentError } from "../errors.js";

/** Most bytes of a payload, which names what is to be worked on and does not contain it (SCALE-015). */
const MOST_PAYLOAD_BYTES = 1024;
const QUEUE_NAME = /^[a-z][a-z0-9-]{0,63}$/u;

/**
 * Rejects a new item whose queue, payload or numbers are invalid.
 * @param key - key of the item
 * @param payload - its JSON
 * @param numbers - attempts and wait
 * @throws StoreArgumentError
 */
export function requireItem(
  queue: string,
  key: string,
  payload: string,
  numbers: readonly number[],
): void {
  const call = "queues.enqueue";
  if (!QUEUE_NAME.test(queue)) {
    const expected = `a lower-case letter, then at most 63 lower-case letters, digits or "-"`;
    throw new StoreArgumentError(call, "queue", expected, queue);
  }
  const bytes = Buffer.byteLength(payload);
  if (bytes > MOST_PAYLOAD_BYTES) {
    const expected = `at most ${MOST_PAYLOAD_BYTES} bytes of JSON, because a queue holds IDs, not content`;
    throw new StoreArgumentError(call, `the payload of ${queue}:${key}`, expected, bytes);
  }
  for (const number of numbers) {
    if (Number.isSafeInteger(number) && number >= 0) continue;
    throw new StoreArgumentError(call, "retry", "whole numbers from 0", number);
  }
}
