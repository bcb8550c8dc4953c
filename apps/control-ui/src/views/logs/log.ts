import type { GatewayEventPayload, GatewayMethodParameters } from "@openclaw/protocol";
import { effect, signal } from "@preact/signals";
import { token } from "../../state/credential.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { call, isLive, onEvent, onOpened } from "../../state/link.js";
import { LogLines, MOST_LINES } from "./log-lines.js";

/** Lines that are read at a time. */
const PAGE = 1000;

/** Level from which lines are shown. */
export type LogLevel = NonNullable<GatewayMethodParameters<"logs.tail">["level"]>;

/** Lines of the page. */
export const lines = new LogLines();
/** Changes with each change of the lines. */
export const version = signal(0);
/** True after the first read. */
export const isRead = signal(false);
/** Fault of the last read. */
export const fault = signal<Fault | undefined>(undefined);
/** True while later lines are kept back. */
export const isPaused = signal(false);
/** Number of shown lines that came since the list was left at its end. */
export const unseen = signal(0);
/** True when older lines are in other files. */
export const hasOlderFiles = signal(false);
/** True while older lines are read. */
export const isReadingOlder = signal(false);

let level: LogLevel = "info";
let isShown = false;
let earlierCursor: string | undefined;
let reads = 0;
let isReading = false;
let waiting: GatewayEventPayload<"log">[] = [];
let frame = 0;
let isAtEnd = true;

/**
 * Shows the log in the view.
 * @param from - lowest level
 * @returns ends it
 */
export function showLog(from: LogLevel): () => void {
  level = from;
  isShown = true;
  isRead.value = false;
  if (isLive.peek()) void read();
  return () => {
    isShown = false;
    reads += 1;
    // The gateway need not send what no view shows.
    if (isLive.peek()) void call("logs.tail", { follow: false, limit: 1 }).catch(() => undefined);
  };
}

/** Reads the newest lines, and follows the log from there. */
async function read(): Promise<void> {
  reads += 1;
  const own = reads;
  isReading = true;
  waiting = [];
  try {
    const tail = await call("logs.tail", { level, follow: true, limit: PAGE });
    if (own !== reads) return;
    lines.clear();
    lines.append(tail.lines);
    // A line may have been written, and sent, while the file was read.
    waiting = [...lines.unknown(waiting)];
    earlierCursor = tail.earlierCursor;
    hasOlderFiles.value = false;
    unseen.value = 0;
    fault.value = undefined;
  } catch (error) {
    if (own === reads) fault.value = faultOf(error);
  } finally {
    if (own === reads) {
      isReading = false;
      isRead.value = true;
      take();
    }
  }
}

/** Reads the lines before the first one. */
export async function readOlder(): Promise<void> {
  if (isReadingOlder.peek() || earlierCursor === undefined || lines.size >= MOST_LINES) return;
  const own = reads;
  isReadingOlder.value = true;
  try {
    const page = await call("logs.tail", { level, beforeCursor: earlierCursor, limit: PAGE });
    if (own !== reads) return;
    lines.prepend(page.lines);
    earlierCursor = page.earlierCursor;
    hasOlderFiles.value = page.isGap;
    version.value += 1;
  } catch {
    // A lost connection, which the status line shows; scrolling reads the page again.
  } finally {
    isReadingOlder.value = false;
  }
}

/** Shows later lines, or keeps them back. */
export function pauseLog(): void {
  isPaused.value = !isPaused.peek();
  take();
}

/**
 * Notes whether the newest line is on the screen.
 * @param isThere - true when it is
 */
export function noteEnd(isThere: boolean): void {
  isAtEnd = isThere;
  if (isThere) unseen.value = 0;
}

/** Adds the lines that came, at most once a frame. */
function take(): void {
  if (frame !== 0 || isReading) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    if (isPaused.peek() || isReading) return;
    const added = lines.append(waiting);
    waiting = [];
    if (!isAtEnd) unseen.value += added;
    version.value += 1;
  });
}

onEvent("log", ({ payload }) => {
  if (!isShown) return;
  waiting.push(payload);
  if (waiting.length > MOST_LINES) waiting.shift();
  take();
});
onOpened(() => {
  if (isShown) void read();
});
effect(() => {
  if (token.value !== undefined) return;
  reads += 1;
  lines.clear();
  waiting = [];
  isRead.value = false;
  fault.value = undefined;
});
