/** Work did not settle in its time. */
export class DeadlineMissed extends Error {
  constructor(readonly deadlineMs: number) {
    super(`it did not settle within ${deadlineMs} ms`);
  }
}

/**
 * Waits for work, but not for longer than its time. A late answer is of no interest any more, nor is a
 * late failure; neither is stopped.
 * @param deadlineMs - in milliseconds
 * @param work - begun at once
 * @throws DeadlineMissed
 */
export async function within<Value>(
  deadlineMs: number,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineMissed(deadlineMs)), deadlineMs);
  });
  try {
    return await Promise.race([(async () => work())(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What went wrong, as it stands in a sentence.
 * @param error - anything that was thrown
 */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? asText(error.message) : `it threw ${asText(error)}`;
}

/**
 * A value as text; a plugin may throw, or put into a message, what has no text.
 * @param value - anything
 */
export function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `a ${typeof value} without text`;
  }
}
