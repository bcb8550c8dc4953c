import { EventEmitter } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { withoutExitGuard } from "../loading/exit-guard.js";
import type { BuiltInChange } from "./built-in-change.js";

// Taken before the first plugin runs, since a plugin may replace these too.
const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } =
  Reflect;
const { on, rawListeners } = EventEmitter.prototype;
const syncExports = syncBuiltinESMExports;

/** Globals of Node that the gateway uses, without those that Node loads at their first use. */
export const NODE_GLOBALS = [
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate"],
  ...["clearImmediate", "queueMicrotask", "structuredClone", "fetch", "URL", "URLSearchParams"],
  ...["Buffer", "AbortController", "AbortSignal", "TextEncoder", "TextDecoder", "Date", "Math"],
  ...["Headers", "Request", "Response", "Event", "EventTarget", "ReadableStream"],
];
/**
 * Constructors and namespaces whose members are watched in the process of a gateway only: of Node, and those that tests of
 * plugins replace.
 */
export const PROCESS_OBJECTS = [
  ...["Date", "Math", "URL", "URLSearchParams", "AbortController", "AbortSignal"],
  ...["TextEncoder", "TextDecoder", "Headers", "Request", "Response", "Event", "EventTarget"],
];
/** Events of the process whose listeners a gateway depends on. Node begins to receive a signal in a listener of the first. */
const EVENTS = [
  "newListener",
  "removeListener",
  "SIGTERM",
  "SIGINT",
  "SIGHUP",
  "uncaughtException",
] as const;

/** Methods of the process itself that a gateway needs to work and to end. */
const METHODS = [
  "abort",
  "cpuUsage",
  "exit",
  "hrtime",
  "kill",
  "memoryUsage",
  "nextTick",
  "uptime",
];

/**
 * Functions of `node:fs` without which a gateway cannot read its files or load code. Others are not watched, because
 * packages that plugins use replace them, such as `close`.
 */
const FILE_FUNCTIONS = [
  ...["accessSync", "existsSync", "fstatSync", "lstatSync", "mkdirSync", "openSync", "readFile"],
  ...["readFileSync", "readSync", "readdirSync", "realpathSync", "renameSync", "rmSync", "stat"],
  ...["statSync", "unlinkSync", "write", "writeFile", "writeFileSync", "writeSync", "writev"],
];

interface KeptMethod {
  readonly owner: string;
  readonly holder: object;
  readonly key: string;
  readonly descriptor: PropertyDescriptor | undefined;
}

interface KeptListener {
  readonly event: (typeof EVENTS)[number];
  readonly listener: unknown;
}

/** Methods of `process`, its streams and `node:fs`, and the listeners of a gateway, as they were at one moment. */
export class ProcessParts {
  readonly #listeners: readonly KeptListener[] = EVENTS.flatMap((event) =>
    listenersOf(event).map((listener) => ({ event, listener })),
  );
  readonly #methods = [
    ...[process, getPrototypeOf(process) ?? process].flatMap(methodsOf),
    ...METHODS.map((key) => keptMethod("process", process, key)),
    ...FILE_FUNCTIONS.map((key) => keptMethod("fs", fs, key)),
    keptMethod("process.stdout", process.stdout, "write"),
    keptMethod("process.stderr", process.stderr, "write"),
  ];

  /**
   * Adds the differences from that moment. It calls nothing that a plugin may have replaced.
   * @param found - receives them
   */
  collect(found: BuiltInChange[]): void {
    for (let at = 0; at < this.#methods.length; at += 1) {
      const method = this.#methods[at];
      if (method !== undefined && isReplaced(method)) found[found.length] = replacedMethod(method);
    }
    for (let at = 0; at < this.#listeners.length; at += 1) {
      const kept = this.#listeners[at];
      if (kept !== undefined && !isListening(kept)) found[found.length] = lostListener(kept);
    }
  }
}

/** Methods of emitters that `process` has itself hide the inherited ones; usually there are none. */
function methodsOf(holder: object): KeptMethod[] {
  return ownKeys(EventEmitter.prototype).flatMap((key): KeptMethod[] => {
    if (typeof key !== "string" || key.startsWith("_") || key === "constructor") return [];
    return [keptMethod("process", holder, key)];
  });
}

function keptMethod(owner: string, holder: object, key: string): KeptMethod {
  const descriptor = getOwnPropertyDescriptor(holder, key);
  // While a plugin is loaded, the host itself replaces `process.exit`.
  if (descriptor?.value !== undefined) descriptor.value = withoutExitGuard(descriptor.value);
  return { owner, holder, key, descriptor };
}

function isReplaced({ holder, key, descriptor }: KeptMethod): boolean {
  return withoutExitGuard(getOwnPropertyDescriptor(holder, key)?.value) !== descriptor?.value;
}

function replacedMethod({ owner, holder, key, descriptor }: KeptMethod): BuiltInChange {
  return {
    description: `${owner}.${key} was replaced`,
    isInheritedByAll: false,
    restore() {
      const isRestored =
        descriptor === undefined
          ? deleteProperty(holder, key)
          : defineProperty(holder, key, descriptor);
      // A plugin may have passed its function on to the imports of modules.
      if (holder === fs) syncExports();
      return isRestored;
    },
  };
}

function lostListener({ event, listener }: KeptListener): BuiltInChange {
  return {
    description: `a listener of process "${event}" was removed`,
    isInheritedByAll: false,
    restore: () => apply(on, process, [event, listener]) !== undefined,
  };
}

function listenersOf(event: string): readonly unknown[] {
  return apply(rawListeners, process, [event]);
}

function isListening({ event, listener }: KeptListener): boolean {
  const now = listenersOf(event);
  for (let at = 0; at < now.length; at += 1) if (now[at] === listener) return true;
  return false;
}
