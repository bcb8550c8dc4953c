import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Size at which the space of new objects stops growing, in bytes. */
const YOUNG_SPACE = 16 * 1024 * 1024;
/** Garbage that the heap holds before it is collected, in per cent of the objects in use. */
const OLD_SPACE_GROWTH = 25;
/** Collections within a second from which on a host is busy. */
const BUSY_COLLECTIONS = 20;
const SECOND_MS = 1000;
const OWN_CHOICE = /--(max|min)-semi-space-size|--semi-space-growth-factor|--heap-growing-percent/;

/** Options of the process, which take precedence. */
const givenOptions = () => [...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" ");

/**
 * Keeps the heap of a host small. V8 sizes the heap for throughput: it lets the space of new objects grow to
 * more than 100 MB, and the heap to a multiple of the objects in use, so that a host of 40 MB held 400 MB. The sizes
 * cannot be set any more when the first line of a program runs, but how they grow can. Call it before the modules of the
 * host are loaded: the space of new objects then keeps the size of a small program until
 * {@link growHeapUnderLoad}.
 * @param given - options of the process
 */
export function limitHeapGrowth(given: string = givenOptions()): void {
  if (OWN_CHOICE.test(given)) return;
  setFlagsFromString(`--heap-growing-percent=${OLD_SPACE_GROWTH}`);
  growYoungSpace(1);
}

/**
 * Lets the space of new objects grow, up to a bound, once a host is busy: a small space is collected so often that
 * objects of turns which are still running are copied again and again. An idle host does without.
 * @param given - options of the process
 */
export function growHeapUnderLoad(given: string = givenOptions()): void {
  if (OWN_CHOICE.test(given)) return;
  let recent: PerformanceEntry[] = [];
  let isBusy = false;
  const observer = new PerformanceObserver((list) => {
    if (!isBusy) {
      const entries = list.getEntries();
      const since = (entries.at(-1)?.startTime ?? 0) - SECOND_MS;
      recent = [...recent, ...entries].filter(({ startTime }) => startTime > since);
      if (recent.length < BUSY_COLLECTIONS) return;
      isBusy = true;
      growYoungSpace(2);
    }
    if (youngSpace() < YOUNG_SPACE) return;
    growYoungSpace(1);
    observer.disconnect();
  });
  observer.observe({ entryTypes: ["gc"] });
}

/** Sets the factor by which the space of new objects grows; V8's own is 2. */
function growYoungSpace(factor: 1 | 2): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

function youngSpace(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
