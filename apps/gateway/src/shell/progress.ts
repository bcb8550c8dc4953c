import type { Terminal } from "./terminal.js";

/** Work of less than this time in milliseconds shows no progress. */
const QUIET_MS = 1000;
const FRAME_MS = 100;
const FRAMES = ["|", "/", "-", "\\"];

/**
 * Shows at a terminal that work is running, from its second second on; the line is removed when it ends.
 * @param title - work in progress, for example `Installing plugin`
 * @param terminal - terminal; nothing is shown when standard error is not one
 * @param work - function that does the work
 */
export async function withProgress<Result>(
  title: string,
  terminal: Pick<Terminal, "status">,
  work: () => Promise<Result>,
): Promise<Result> {
  const { status } = terminal;
  if (status === undefined) return work();
  const started = performance.now();
  const timer = setInterval(() => {
    const elapsed = performance.now() - started;
    if (elapsed < QUIET_MS) return;
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length] ?? "";
    status(`${frame} ${title} (${Math.floor(elapsed / 1000)} s)`);
  }, FRAME_MS);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    status(undefined);
  }
}
