import { AsyncLocalStorage, createHook, executionAsyncId } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";

/** Something that goes on although the plugin that started it was unloaded. */
export interface Leftover {
  /** For example `a timer`, `a server`, `a listener of process "SIGTERM"`. */
  readonly kind: string;
  /** File, line and column of the code that started it. */
  readonly place: string;
}

/** Notices what work starts and does not end. */
export interface LeftoverWatch {
  /**
   * Runs work; what it starts, also later and by its callbacks, is watched.
   * @param work - synchronous or not
   */
  run<Result>(work: () => Result): Result;
  /** What goes on now; things that are just ending have 500 ms to do so. */
  leftovers(): Promise<readonly Leftover[]>;
  /** Kinds of things that were started so far, whether or not they have ended. */
  readonly startedKinds: ReadonlySet<string>;
  /** Ends the watch. */
  stop(): void;
}

/** Resources of Node that keep something going, by the name that Node gives them. */
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

/** Steps between a call and the resource it makes; their places are those of what they lead to. */
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
  /** Undefined when no code but Node's own is to be seen. */
  readonly place: string | undefined;
  /** True for what Node started on its own behalf, such as the timers of `fetch`. */
  readonly byNode: boolean;
}

interface Started extends Origin {
  readonly kind: string;
  readonly resource: { hasRef?(): boolean };
}

/** Starts to watch. */
export function watchLeftovers(): LeftoverWatch {
  const scope = new AsyncLocalStorage<true>();
  const started = new Map<number, Started>();
  const startedKinds = new Set<string>();
  const listeners: ListenerNote[] = [];

  const stepPlaces = new Map<number, string>();
  /** The code that starts something now, or what led to the step that does. */
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

/** What does not keep the process alive is Node's own housekeeping, unless it is a timer of the plugin. */
function goesOn({ kind, byNode, resource }: Started): boolean {
  return resource.hasRef?.() !== false || (kind === "a timer" && !byNode);
}

function listenersOf(event: string | symbol): unknown[] {
  // The type names the events that Node knows; a plugin may listen to any other.
  return process.listeners(event as NodeJS.Signals);
}

/** Frames between a call of `setTimeout` or `process.on` and what it makes. */
const MACHINERY = /\(?node:(?:timers|events|internal\/(?:timers|async_hooks|process\/signal)):/;

/** The code that starts a resource at this moment, above the function that noticed it. */
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
  // A library acts for whoever called it; its own code is named only where nothing else is.
  const place = outside.find((candidate) => !candidate.includes("/node_modules/")) ?? outside[0];
  return { place, byNode: places[0]?.startsWith("node:") === true };
}

const FRAME_PLACE = /\(?((?:file:|node:|\/|[A-Za-z]:\\)[^()]*:\d+:\d+)\)?$/;
