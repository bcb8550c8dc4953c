import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import { callersOf } from "../loading/exit-guard.js";
import { stackLines } from "../loading/stack-location.js";
import { currentScope, type PluginScope } from "./plugin-scope.js";

/** Timer that code of a plugin started. */
export interface PluginTimer {
  readonly pluginId: string;
  /** For example `interval of 60000 ms at index.js:12:5`. */
  readonly name: string;
}

/** Watches the timers that plugins start. */
export interface TimerWatch {
  /** Returns the timers that keep the process alive now. */
  open(): readonly PluginTimer[];
  /** Ends the watch. */
  stop(): void;
}

/** Delay from which a one-shot timer is noted, in milliseconds; a shorter one is over soon. */
const NOTED_MS = 1000;
/** Number of notes from which those of ended timers are dropped. */
const FEW = 100;

const STARTERS = ["setInterval", "setTimeout"] as const;
type Starter = (typeof STARTERS)[number];

/** Notes of one watch, by timer. */
type Notes = Map<object, PluginTimer>;

const watching = new Set<Notes>();
let undo: () => void = () => {};

/**
 * Notes the timers that plugins start and checks what their callbacks change of the language, from `setInterval` and `setTimeout` as globals and in `node:timers`. Node does not
 * say whose a timer is, therefore both are replaced while a watch exists.
 */
export function watchTimers(): TimerWatch {
  const notes: Notes = new Map();
  if (watching.size === 0) undo = replaceStarters();
  watching.add(notes);
  return {
    open: () => [...notes].flatMap(([timer, note]) => (isOpen(timer) ? [note] : [])),
    stop() {
      if (watching.delete(notes) && watching.size === 0) undo();
    },
  };
}

function replaceStarters(): () => void {
  const restore = STARTERS.flatMap((name) => {
    const original = timers[name];
    const replacement = watched(name, original);
    return [timers, globalThis].map((owner) => replace(owner, name, original, replacement));
  });
  syncBuiltinESMExports();
  return () => {
    for (const each of restore) each();
    syncBuiltinESMExports();
  };
}

/** Replaces a function where it is the original; a test may have replaced it before or may do so later. */
function replace(
  owner: object,
  name: Starter,
  original: unknown,
  replacement: unknown,
): () => void {
  if (Reflect.get(owner, name) !== original) return () => {};
  Reflect.set(owner, name, replacement);
  return () => {
    if (Reflect.get(owner, name) === replacement) Reflect.set(owner, name, original);
  };
}

function watched(name: Starter, original: (typeof timers)[Starter]): unknown {
  const replacement = (...given: unknown[]): unknown => {
    const scope = currentScope();
    const [callback, ...others] = given;
    const args = scope === undefined ? given : [checked(callback, scope), ...others];
    const timer: unknown = Reflect.apply(original, undefined, args);
    if (scope !== undefined && typeof timer === "object" && timer !== null) {
      note(timer, name, Number(given[1] ?? 0), scope, replacement);
    }
    return timer;
  };
  // Its name, and the form for `util.promisify`.
  return Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
}

/** A timer is a call of its plugin, so that what it changes of the language has an author. */
function checked(callback: unknown, scope: PluginScope): unknown {
  if (typeof callback !== "function") return callback;
  return function (this: unknown, ...args: unknown[]): void {
    scope.run(() => void Reflect.apply(callback, this, args));
  };
}

function note(
  timer: object,
  starter: Starter,
  delayMs: number,
  { pluginId, owner }: PluginScope,
  callee: (...given: unknown[]) => unknown,
): void {
  const isInterval = starter === "setInterval";
  if (!isInterval && delayMs < NOTED_MS) return;
  const caller = stackLines(callersOf(callee)).find(
    (line) => line.startsWith("    at ") && !line.includes("node:"),
  );
  const frame = caller === undefined ? undefined : owner.blame(caller);
  // The host starts one-shot timers of its own while it works for a plugin.
  if (!isInterval && frame === undefined) return;
  const place = frame === undefined ? "" : ` at ${frame.place}`;
  const name = `${isInterval ? "interval" : "timer"} of ${delayMs} ms${place}`;
  for (const notes of watching) {
    if (notes.size >= FEW) dropEnded(notes);
    notes.set(timer, { pluginId, name });
  }
}

function dropEnded(notes: Notes): void {
  for (const timer of notes.keys()) if (hasEnded(timer)) notes.delete(timer);
}

function isOpen(timer: object): boolean {
  const keepsAlive = "hasRef" in timer && typeof timer.hasRef === "function" && timer.hasRef();
  return keepsAlive && !hasEnded(timer);
}

/** Node has no other sign for a timer that was cleared or has run. */
function hasEnded(timer: object): boolean {
  return Reflect.get(timer, "_destroyed") === true;
}
