import type { Clock } from "@openclaw/foundation";
import type { HandlerEntry } from "../define/handler-entry.js";
import type { HookTable } from "../define/hook-table.js";
import type { Registration } from "../define/registration.js";
import type { PluginHookExecutionError } from "../errors.js";
import type { DiagnosticCode, DiagnosticLevel, DiagnosticSink } from "../observe/diagnostic.js";
import { AbortWatch } from "./abort-watch.js";
import { BusyWatch } from "./busy-watch.js";
import { DeadlineList } from "./deadline-list.js";
import { type CallPath, OUTSIDE } from "./frame.js";
import type { Recorder } from "./recorder.js";

/** State shared by all dispatches of a runner. */
export class Engine {
  readonly deadlines: DeadlineList;
  readonly busy: BusyWatch;
  readonly aborts = new AbortWatch();
  /**
   * The handler that is running, up to its first await, and the handlers its dispatch was made
   * inside; what it dispatches is nested. Written for every call, so it refers to nothing that is
   * made per dispatch: storing a young object in an old one is what V8 charges for.
   */
  running: HandlerEntry | null = null;
  path: CallPath = OUTSIDE;

  constructor(
    readonly hooks: HookTable,
    readonly clock: Clock,
    readonly recorder: Recorder,
    readonly report: DiagnosticSink,
  ) {
    this.busy = new BusyWatch(clock, (entry, ms) => this.wasBusy(entry, ms));
    this.deadlines = new DeadlineList(clock, () => this.busy.follow());
    recorder.watch = this.busy;
  }

  /** It cannot be interrupted; one process can only report it. */
  private wasBusy({ registration }: HandlerEntry, ms: number): void {
    this.diagnose(
      registration,
      "warn",
      "busy-handler",
      `its handler blocked the process for ${Math.round(ms)} ms; nothing else could run meanwhile. ` +
        "Split the work, or do it in a worker thread",
    );
  }

  /** Counts and reports a failure of a handler; the run handles its effect on the dispatch. */
  failed(entry: HandlerEntry, error: PluginHookExecutionError): void {
    entry.counters.fail(error.code);
    entry.hook.counters.fail(error.code);
    const closed = error.mode === "fail-closed";
    const { registration } = entry;
    this.report({
      level: closed ? "error" : "warn",
      code: "handler-failed",
      message: `${error.message} The dispatch ${closed ? "fails closed" : "continues without it"}.`,
      owner: registration.owner,
      hook: registration.hook.name,
      registrationId: registration.id,
      source: registration.source,
      cause: error,
    });
  }

  diagnose(
    registration: Registration,
    level: DiagnosticLevel,
    code: DiagnosticCode,
    what: string,
    cause?: unknown,
  ): void {
    const { id, hook, owner, source } = registration;
    this.report({
      level,
      code,
      message: `Plugin "${owner}", hook "${hook.name}" (registration ${id}): ${what}`,
      owner,
      hook: hook.name,
      registrationId: id,
      source,
      ...(cause === undefined ? {} : { cause }),
    });
  }

  /** Like `diagnose`, for messages that every dispatch would repeat. */
  diagnoseOnce(
    registration: Registration,
    level: DiagnosticLevel,
    code: DiagnosticCode,
    what: string,
  ): void {
    if (registration.reported.has(code)) return;
    registration.reported.add(code);
    this.diagnose(registration, level, code, what);
  }
}
