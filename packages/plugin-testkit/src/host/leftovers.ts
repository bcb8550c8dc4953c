import { AsyncLocalStorage, createHook, executionAsyncId } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";

/** A resource that stays open although the plugin that started it was unloaded. */
export interface Leftover {
  /** For example `a timer`, `a server`, `a listener of process "SIGTERM"`. */
  readonly kind: string;
  /** File, line and column of the code that started it. */
  readonly place: string;
}

/** Detects resources that work opens and does not close. */
export interface LeftoverWatch {
  /**
   * Runs work; resources that it opens, also later and in its callbacks, are watched.
   * @param work - a synchronous or asynchronous function
   */
  run<Result>(work: () => Result): Result;
  /** Returns the resources that are still open after up to 500 ms. */
  leftovers(): Promise<readonly Leftover[]>;
  /** Returns the kinds of resources that were opened so far, closed or not. */
  readonly startedKinds: ReadonlySet<string>;
  /** Ends the watch. */
  stop(): void;
}

/** Resources of Node that keep the process active, by the name that Node gives them. */
const KINDS = new Map([
  ["Timeout", "a timer"],
  ["TCPSERVERWRAP", "a server"],
  ["PIPESERVERWRAP", "a server"],
  ["TCPWRAP", "a connection"],
  ["PIPEWRAP", "a pipe"],
  ["UDPWRAP", "a datagram socket"],
  ["PROCESSWRAP", "a child process"],
  ["WORKER", "a worker thread"],
  ["MESSAGEPORT", "a message port"],
  ["FSEVENTWRAP", "a file watcher"],
  ["STATWATCHER", "a file watcher"],
]);

/**
 * Intermediate resources between a call and its resource; the reported place is that of the call.
 */
const STEPS = new Set(["TickObject", "Immediate", "GETADDRINFOREQWRAP"]);

const UNKNOWN = "an unknown place";

const GRACE_MS = 500;
const POLL_MS = 10;

interface ListenerNote {
  readonly event: string | symbol;
  readonly listener: unknown;
  readonly place: string | undefined;
}

interface Origin {
  /** Undefined when the stack has only Node's own code. */
  readonly place: string | undefined;
  /** True for resources that Node or its HTTP client opened itself, such as the timers of `fetch`. */
  readonly byNode: boolean;
}

interface Started extends Origin {
  readonly kind: string;
  readonly resource: { hasRef?(): boolean };
}

/** Starts the watch. */
export function watchLeftovers(): LeftoverWatch {
  const scope = new AsyncLocalStorage<true>();
  const started = new Map<number, Started>();
  const startedKinds = new Set<string>();
  const listeners: ListenerNote[] = [];

  const stepPlaces = new Map<number, string>();
  /** Returns the code that opens a resource, or the origin of its intermediate resource. */
  const originOf = (noticedBy: (...given: never[]) => void): Origin => {
    const found = origin(noticedBy);
    return { ...found, place: found.place ?? stepPlaces.get(executionAsyncId()) };
  };
  const noteResource = (asyncId: number, type: string, _trigger: number, resource: object) => {
    const kind = KINDS.get(type);
    if (scope.getStore() !== true) return;
    if (STEPS.has(type)) {
      const { place } = originOf(noteResource);
      if (place !== undefined) stepPlaces.set(asyncId, place);
    }
    if (kind === undefined) return;
    startedKinds.add(kind);
    started.set(asyncId, { kind, ...originOf(noteResource), resource });
  };
  const noteListener = (event: string | symbol, listener: unknown) => {
    if (scope.getStore() !== true) return;
    listeners.push({ event, listener, place: originOf(noteListener).place });
  };
  const hook = createHook({
    init: noteResource,
    destroy(asyncId) {
      started.delete(asyncId);
      stepPlaces.delete(asyncId);
    },
  }).enable();
  process.on("newListener", noteListener);

  const current = (): Leftover[] => [
    ...[...started.values()].filter(goesOn).map(({ kind, place = UNKNOWN }) => ({ kind, place })),
    ...listeners
      .filter(({ event, listener }) => listenersOf(event).includes(listener))
      .map(({ event, place = UNKNOWN }) => ({
        kind: `a listener of process "${String(event)}"`,
        place,
      })),
  ];

  return {
    run: (work) => scope.run(true, work),
    startedKinds,
    async leftovers() {
      for (let waited = 0; waited < GRACE_MS && current().length > 0; waited += POLL_MS) {
        await wait(POLL_MS);
      }
      return current();
    },
    stop() {
      hook.disable();
      process.off("newListener", noteListener);
      started.clear();
    },
  };
}

/**
 * A resource that does not keep the process alive is internal to Node, unless it is a timer of the
 * plugin.
 */
function goesOn({ kind, byNode, resource }: Started): boolean {
  return resource.hasRef?.() !== false || (kind === "a timer" && !byNode);
}

function listenersOf(event: string | symbol): unknown[] {
  // The type names the events that Node knows; a plugin may listen to any other.
  return process.listeners(event as NodeJS.Signals);
}

/** Stack frames between a call of `setTimeout` or `process.on` and its resource. */
const MACHINERY = /\(?node:(?:timers|events|internal\/(?:timers|async_hooks|process\/signal)):/;

/** Returns the code that is opening a resource, above the function that detected it. */
function origin(noticedBy: (...given: never[]) => void): Origin {
  const limit = Error.stackTraceLimit;
  const trace = { stack: "" };
  Error.stackTraceLimit = 30;
  Error.captureStackTrace(trace, noticedBy);
  Error.stackTraceLimit = limit;
  const places = trace.stack
    .split("\n")
    .filter((frame) => !MACHINERY.test(frame))
    .flatMap((frame) => FRAME_PLACE.exec(frame)?.[1] ?? []);
  const outside = places.filter((candidate) => !candidate.startsWith("node:"));
  // A library acts for its caller; its own code is named only when no other frame is known.
  const place = outside.find((candidate) => !candidate.includes("/node_modules/")) ?? outside[0];
  return { place, byNode: NODES_OWN.test(places[0] ?? "") };
}

/** Code of Node, and of its HTTP client as a package, whose clock is a timer that ends half a second after the last request. */
const NODES_OWN = /^node:|\/node_modules\/undici\//;

const FRAME_PLACE = /\(?((?:file:|node:|\/|[A-Za-z]:\\)[^()]*:\d+:\d+)\)?$/;
