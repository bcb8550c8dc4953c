/**
 * Returns a new idempotency key: 32 hexadecimal digits. `crypto.randomUUID` is not used, because browsers have it only
 * on pages that came over HTTPS or from the same machine.
 */
export function idempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
