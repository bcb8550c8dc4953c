/**
 * Waits for work, but no longer than a time; the work itself goes on.
 * @param milliseconds - the time
 * @param work - what is waited for; its failure is the caller's
 */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
