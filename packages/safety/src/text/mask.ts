const SHOWN = 4;
const STARS = "*".repeat(8);

/**
 * What may be shown of a secret: the first four characters and eight stars, or only stars when there
 * are four or fewer (SAFE-021).
 * @param secret - any text
 */
export function maskSecret(secret: string): string {
  const head = [...secret.slice(0, 2 * SHOWN + 1)];
  return head.length <= SHOWN ? "*".repeat(head.length) : head.slice(0, SHOWN).join("") + STARS;
}
