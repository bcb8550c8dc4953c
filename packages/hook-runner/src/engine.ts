import { AbortWatch } from "./abort-watch.js";
import type { Clock } from "./clock.js";
import { DeadlineList } from "./deadline-list.js";
import type { DiagnosticCode, DiagnosticLevel, DiagnosticSink } from "./diagnostic.js";
import type { PluginHookExecutionError } from "./errors.js";
import type { Caller } from "./frame.js";
import type { HandlerEntry } from "./handler-entry.js";
import type { HookTable } from "./hook-table.js";
import type { Recorder } from "./recorder.js";
import type { Registration } from "./registration.js";

/** What all dispatches of a runner share. */
export class Engine {
  readonly deadlines: DeadlineList;
  readonly aborts = new AbortWatch();
  /** Whose handlers are running now, up to their first await; dispatches made there are nested. */
  active: Caller | null = null;

  constructor(
    readonly hooks: HookTable,
    readonly clock: Clock,
    readonly recorder: Recorder,
    readonly report: DiagnosticSink,
  ) {
    this.deadlines = new DeadlineList(clock);
  }

  /** Counts and reports a failure of a handler; what it does to the dispatch is the run's affair. */
  failed(entry: HandlerEntry, error: PluginHookExecutionError): void {
    entry.counters.fail(error.code);
    entry.hook.counters.fail(error.code);
    const level = error.mode === "fail-closed" ? "error" : "warn";
    const what =
      error.mode === "fail-closed" ? "failed, and the hook fails closed" : "failed and is skipped";
    this.diagnose(entry.registration, level, "handler-failed", `${what}. ${error.message}`, error);
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

  /** Like `diagnose`, for what would otherwise be said on every dispatch. */
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
