const SHOWN = 4;
const STARS = "*".repeat(8);

/**
 * Masks a secret: returns the first four characters and eight stars, or only stars when it has four
 * or fewer characters (SAFE-021).
 */
export function maskSecret(secret: string): string {
  const head = [...secret.slice(0, 2 * SHOWN + 1)];
  return head.length <= SHOWN ? "*".repeat(head.length) : head.slice(0, SHOWN).join("") + STARS;
}
