/** The latest time of a steady clock, and when the machine's monotonic clock had it at the latest. */
interface Reading {
  readonly time: number;
  readonly at: number;
}

/**
 * Returns a clock that continues when the clock of the machine is set back, and follows it when it is set
 * forward, so that expired rows stay expired and others expire on time.
 * @returns function that returns whole milliseconds since the epoch
 */
export function steadyClock(): () => number {
  let last: Reading | undefined;
  return () => {
    const at = performance.now();
    last = { time: latest(Date.now(), last, at), at };
    return Math.floor(last.time);
  };
}

/**
 * Makes a clock that answers later, such as that of a server, continue when it is set back.
 * @param read - reads the clock, in milliseconds since the epoch
 */
export function steadied<Source>(
  read: (source: Source) => Promise<number>,
): (source: Source) => Promise<number> {
  let last: Reading | undefined;
  return async (source) => {
    const begunAt = performance.now();
    const time = await read(source);
    // Only what passed between the last answer and this question has certainly passed on the server too.
    last = { time: latest(time, last, begunAt), at: performance.now() };
    return Math.floor(last.time);
  };
}

function latest(time: number, last: Reading | undefined, at: number): number {
  return last === undefined ? time : Math.max(time, last.time + Math.max(0, at - last.at));
}
