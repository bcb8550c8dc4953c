import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Size at which the space of new objects stops growing, in bytes. */
const YOUNG_SPACE = 16 * 1024 * 1024;
/** Factor by which the space of new objects grows during the start, to its maximum at once. */
const START_GROWTH = 16;
/** Garbage that the heap holds before it is collected, in per cent of the objects in use. */
const OLD_SPACE_GROWTH = 25;
/** Time between the start and the collection of its garbage, in milliseconds. */
const SETTLE_MS = 1000;
/** Collections within a second from which on a host is busy. */
const BUSY_COLLECTIONS = 20;
const SECOND_MS = 1000;
const OWN_CHOICE = /--(max|min)-semi-space-size|--semi-space-growth-factor|--heap-growing-percent/;

/** Options of the process, which take precedence. */
const givenOptions = () => [...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" ");

/**
 * Lets the space of new objects grow for the start of a host. Most objects of the start stay, and a small space is
 * collected so often that a fifth of the start is spent on copying them. Call it before the modules of the host are loaded.
 * @param given - options of the process
 */
export function growHeapForStart(given: string = givenOptions()): void {
  if (OWN_CHOICE.test(given)) return;
  growYoungSpace(START_GROWTH);
}

/**
 * Keeps the heap of a started host small. V8 sizes the heap for throughput: it lets the space of new objects grow to
 * more than 100 MB, and the heap to a multiple of the objects in use, so that a host of 40 MB held 400 MB. The sizes
 * cannot be set any more when the first line of a program runs, but how they grow can. The garbage of the start is
 * collected once, which also returns the space that the start needed.
 *
 * The space of new objects grows again, up to a bound, once the host is busy: a small space is collected so often that
 * objects of turns which are still running are copied again and again. An idle host does without.
 * @param given - options of the process
 * @param settleMs - time until the garbage of the start is collected, in milliseconds
 */
export async function limitHeap(
  given: string = givenOptions(),
  settleMs: number = SETTLE_MS,
): Promise<void> {
  if (OWN_CHOICE.test(given)) return;
  setFlagsFromString(`--heap-growing-percent=${OLD_SPACE_GROWTH}`);
  growYoungSpace(1);
  await wait(settleMs, undefined, { ref: false });
  await collectGarbage();
  growUnderLoad();
}

/** Collects all garbage as V8 does when memory is low; only its debugger offers that to a program. */
async function collectGarbage(): Promise<void> {
  // Node can be built without its debugger; the heap then keeps the space of the start.
  if (!process.features.inspector) return;
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}

function growUnderLoad(): void {
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
function growYoungSpace(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

function youngSpace(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
