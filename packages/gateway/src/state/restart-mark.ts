import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "@openclaw/foundation/file-replacement";

/** A mark that a start did not read within this time belongs to a restart that did not take place. */
const VALID_MS = 10 * 60 * 1000;

/** Restart of a gateway that was asked for. */
interface RestartMark {
  readonly pid: number;
  /** The process itself starts again, instead of a service manager. */
  readonly inPlace: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Notes that the next stop of a gateway is part of a restart, so that plugins receive the reason `restart` from the process
 * that ends and from the one that starts (GW-009). A signal cannot carry the reason.
 * @param stateDir - state folder of the gateway
 * @param restart - process that ends, and whether it starts again by itself
 */
export function markRestart(stateDir: string, restart: Omit<RestartMark, "at">): void {
  writePrivateFile(fileIn(stateDir), JSON.stringify({ ...restart, at: Date.now() }));
}

/** Returns the restart that ends this process; undefined when it stops for another reason. */
export function requestedRestart(stateDir: string): { readonly inPlace: boolean } | undefined {
  const mark = readMark(stateDir);
  return mark?.pid === process.pid ? { inPlace: mark.inPlace } : undefined;
}

/** Returns whether a start is the second half of a restart, and removes the mark of that restart. */
export function takeRestart(stateDir: string): boolean {
  const mark = readMark(stateDir);
  forgetRestart(stateDir);
  return mark !== undefined;
}

/** Removes the mark of a restart that does not take place. */
export function forgetRestart(stateDir: string): void {
  rmSync(fileIn(stateDir), { force: true });
}

function fileIn(stateDir: string): string {
  return join(stateDir, "gateway.restart");
}

function readMark(stateDir: string): RestartMark | undefined {
  let text: string;
  try {
    text = readFileSync(fileIn(stateDir), "utf8");
  } catch {
    return undefined;
  }
  const mark = parsed(text);
  const isRecent = mark !== undefined && Math.abs(Date.now() - mark.at) < VALID_MS;
  return isRecent ? mark : undefined;
}

function parsed(text: string): RestartMark | undefined {
  try {
    const mark: unknown = JSON.parse(text);
    return isMark(mark) ? mark : undefined;
  } catch {
    return undefined;
  }
}

function isMark(value: unknown): value is RestartMark {
  if (typeof value !== "object" || value === null) return false;
  if (!("pid" in value && "inPlace" in value && "at" in value)) return false;
  const { pid, inPlace, at } = value;
  return typeof pid === "number" && typeof inPlace === "boolean" && typeof at === "number";
}
