/**
 * Returns a clock that continues when the clock of the machine is set back, and follows it when it is set
 * forward: what has expired stays expired, and what is to expire does so in time.
 * @returns a function that gives whole milliseconds since the epoch
 */
export function steadyClock(): () => number {
  let last: { readonly time: number; readonly at: number } | undefined;
  return () => {
    const at = performance.now();
    const least = last === undefined ? 0 : last.time + at - last.at;
    const time = Math.max(Date.now(), least);
    last = { time, at };
    return Math.floor(time);
  };
}
