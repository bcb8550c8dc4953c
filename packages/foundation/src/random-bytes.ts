const POOL_BYTES = 4096;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Returns random bytes for an ID. Each request to the operating system costs several microseconds, so that one fills
 * the bytes of many IDs. Not for secrets, whose bytes should not wait in memory before they are used.
 * @param length - number of bytes, at most 256
 */
export function randomIdBytes(length: number): Uint8Array {
  if (used + length > POOL_BYTES) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + length);
  used += length;
  return bytes;
}
