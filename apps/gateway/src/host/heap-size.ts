import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Size at which the space of new objects stops growing, in bytes. */
const YOUNG_SPACE = 16 * 1024 * 1024;
/** Garbage that the heap holds before it is collected, in per cent of the objects in use. */
const OLD_SPACE_GROWTH = 50;
const OWN_CHOICE = /--(max|min)-semi-space-size|--semi-space-growth-factor|--heap-growing-percent/;

/**
 * Keeps the heap of a host small. V8 sizes the heap for throughput: it lets the space of new objects grow to
 * more than 100 MB, and the heap to a multiple of the objects in use, so that a host of 40 MB held 400 MB. The sizes
 * cannot be set any more when the first line of a program runs, but how they grow can.
 * @param given - options of the process, which take precedence
 */
export function limitHeapGrowth(
  given: string = [...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" "),
): void {
  if (OWN_CHOICE.test(given)) return;
  setFlagsFromString(`--heap-growing-percent=${OLD_SPACE_GROWTH}`);
  const observer = new PerformanceObserver(() => {
    if (youngSpace() < YOUNG_SPACE) return;
    setFlagsFromString("--semi-space-growth-factor=1");
    observer.disconnect();
  });
  observer.observe({ entryTypes: ["gc"] });
}

function youngSpace(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
