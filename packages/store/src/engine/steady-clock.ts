/**
 * Returns a clock that continues when the clock of the machine is set back, and follows it when it is set
 * forward, so that expired rows stay expired and others expire on time.
 * @returns function that returns whole milliseconds since the epoch
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
