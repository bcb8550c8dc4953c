import { systemClock } from "@openclaw/foundation";
import type { Fields } from "../define/fields.js";
import { HookTable } from "../define/hook-table.js";
import type { Interceptor } from "../define/interceptor.js";
import { type OwnerSettings, withSettings } from "../define/owner.js";
import { type HookRegistrationInfo, Registration } from "../define/registration.js";
import { checkRegistration } from "../define/registration-check.js";
import { contextFieldsOf } from "../dispatch/call-context.js";
import { Dispatcher } from "../dispatch/dispatcher.js";
import { Engine } from "../dispatch/engine.js";
import type { DispatchList } from "../dispatch/list.js";
import { Recorder } from "../dispatch/recorder.js";
import { ignore, promiseOf } from "../dispatch/thenable.js";
import { HookUsageError, show } from "../errors.js";
import type { HookCounts, RegistrationCounts, RunnerCounts } from "../observe/counters.js";
import { consoleSink, guardedSink } from "../observe/diagnostic.js";
import type { TraceListener, TraceOptions } from "../observe/trace.js";
import { Drain, type DrainOptions, type DrainReport } from "./drain.js";
import { explain, type HookExplanation } from "./explanation.js";
import { Generation } from "./generation.js";
import type { HookRunnerOptions, TransactionOptions } from "./runner-options.js";
import { GenerationState } from "./state.js";
import { type Undo, undoable } from "./undo.js";

/** Changes that are not visible yet, and whether they create a new generation. */
interface OpenTransaction {
  state: GenerationState;
  /** Removed outright, and so removed from older generations too. */
  removed: readonly Registration[];
  readonly next: boolean;
}

/** The engine behind `HookRunner`: generations, and their changes. */
export class Runner extends Dispatcher {
  /** Older generations that are still pinned. */
  private readonly pinned = new Set<Generation>();
  private open: OpenTransaction | null = null;
  private registered = 0;

  /** @throws HookDefinitionError */
  constructor(
    definitions: Readonly<Record<string, object>>,
    private readonly options: HookRunnerOptions,
  ) {
    const clock = options.clock ?? systemClock;
    const report = guardedSink(options.onDiagnostic ?? consoleSink);
    const hooks = new HookTable(definitions, options.aliases);
    super(
      new Engine(hooks, clock, new Recorder(clock, options, report), report),
      new Generation(1, hooks.all(), options.gate, GenerationState.empty),
    );
  }

  register(registration: Fields): Undo {
    const { name, owner } = registration;
    const hook = this.engine.hooks.get(name, String(owner));
    this.registered += 1;
    const { fields, ignored } = checkRegistration(hook, registration, this.registered);
    const { state } = this.open ?? this.served;
    const twin = state.registrationsOf(hook).find((each) => each.equals(fields));
    if (twin !== undefined) {
      this.engine.diagnose(
        twin,
        "warn",
        "duplicate-registration",
        `the same handler was registered again with the same options, from ${fields.source} after ${twin.source}, and rejected. Register it once`,
      );
      return undoable(() => {});
    }

    const added = new Registration(fields);
    this.edit((open) => {
      open.state = open.state.with(added);
    });
    if (ignored.length > 0) {
      this.engine.diagnose(
        added,
        "warn",
        "ineffective-option",
        `options without effect are ignored: ${ignored.join(", ")}. Remove them`,
      );
    }
    if (state.owner(added.owner).registrationClosed) {
      this.engine.diagnose(
        added,
        "warn",
        "late-registration",
        "registered after its owner's registration phase; it serves new dispatches. Register while the plugin loads",
      );
    }
    return undoable(() => this.unregister(added));
  }

  transaction<T>(fn: () => T, { generation = "same" }: TransactionOptions = {}): T {
    const outer = this.open;
    const next = generation === "next";
    if (outer !== null && next && !outer.next) {
      throw new HookUsageError(
        "HOOK_TRANSACTION",
        "A transaction for the next generation was started inside one for the current generation. " +
          'Begin the outer one with { generation: "next" }.',
      );
    }
    const open = outer ?? { state: this.served.state, removed: [], next };
    const { state, removed } = open;
    this.open = open;
    try {
      const result = fn();
      refusePromise(result);
      if (outer === null) this.commit(open);
      return result;
    } catch (error) {
      open.state = state;
      open.removed = removed;
      throw error;
    } finally {
      this.open = outer;
    }
  }

  pin(): Pin {
    const generation = this.served;
    generation.pins += 1;
    return new Pin(this.engine, generation, () => {
      generation.pins -= 1;
      if (generation.pins === 0) this.pinned.delete(generation);
    });
  }

  owner(owner: string, settings: OwnerSettings): void {
    this.edit((open) => {
      const before = open.state.owner(owner);
      const after = withSettings(owner, before, settings, this.engine.report);
      open.state = open.state.withOwner(owner, after);
    });
  }

  async drain(
    owner: string,
    deadlineMs: number,
    { retired = false }: DrainOptions = {},
  ): Promise<DrainReport> {
    if (!(Number.isFinite(deadlineMs) && deadlineMs >= 0)) {
      throw new HookUsageError(
        "HOOK_ARGUMENT",
        `drain of plugin "${owner}": deadlineMs must be a number from 0 (ms), got ${show(deadlineMs)}.`,
      );
    }
    return Drain.start(
      this.engine,
      owner,
      deadlineMs,
      ({ registration }) =>
        !retired || !this.served.state.registrationsOf(registration.hook).includes(registration),
    );
  }

  explain(name: string, context: object = {}, event: object = {}): HookExplanation {
    return explain(this.listOf(name), event as Fields, contextFieldsOf(context));
  }

  counters(): RunnerCounts {
    const lists = [...this.served.lists.values()];
    return {
      hooks: Object.fromEntries(lists.map((list) => [list.hook.name, hookCounts(list)])),
      registrations: this.registrationCounts(),
    };
  }

  registrations(): readonly HookRegistrationInfo[] {
    return [...this.served.lists.values()].flatMap((list) => [
      ...list.entries.map(({ registration }) => ({
        ...registration.identity,
        active: true as const,
      })),
      ...list.inactive.map(({ registration, reason }) => ({
        ...registration.identity,
        active: false as const,
        reason,
      })),
    ]);
  }

  trace(listener: TraceListener, options: TraceOptions = {}): Undo {
    return undoable(this.engine.recorder.listen(listener, options));
  }

  intercept(owner: string, interceptor: Interceptor): Undo {
    // A new function per call, so that undoing one keeps another of the same.
    const installed: Interceptor = (call, next) => interceptor(call, next);
    this.edit((open) => {
      open.state = open.state.withInterceptor(owner, installed);
    });
    return undoable(() =>
      this.edit((open) => {
        open.state = open.state.withoutInterceptor(owner, installed);
      }),
    );
  }

  rebuild(): void {
    this.served.rebuildAll();
  }

  /** Makes a change in the open transaction, or in a new one. */
  private edit(change: (open: OpenTransaction) => void): void {
    const { open } = this;
    if (open === null) this.transaction(() => this.edit(change));
    else change(open);
  }

  private unregister(registration: Registration): void {
    this.edit((open) => {
      open.state = open.state.without(registration);
      open.removed = [...open.removed, registration];
    });
  }

  private commit({ state, removed, next }: OpenTransaction): void {
    const live = this.served;
    if (next) {
      const hooks = this.engine.hooks.all();
      this.served = new Generation(live.number + 1, hooks, this.options.gate, state);
      if (live.pins > 0) this.pinned.add(live);
      return;
    }
    live.replace(state);
    for (const older of this.pinned) {
      older.replace(removed.reduce((before, each) => before.without(each), older.state));
    }
  }

  private registrationCounts(): RegistrationCounts[] {
    const running = new Map<Registration, number>();
    for (const { entry, state } of this.engine.deadlines.held()) {
      const { registration } = entry;
      if (state === "running") running.set(registration, (running.get(registration) ?? 0) + 1);
    }
    const { state } = this.served;
    return this.engine.hooks
      .all()
      .flatMap((hook) => state.registrationsOf(hook))
      .map((registration) => {
        const { id, owner, hook, counters } = registration;
        const { dispatched, failedCalls } = counters;
        return {
          ...counters.read(),
          registrationId: id,
          owner,
          hook: hook.name,
          dispatched,
          ok: dispatched - failedCalls - (running.get(registration) ?? 0),
          rewrote: counters.rewrittenFields,
        };
      });
  }
}

/** The lists of one generation, while they are in use. */
class Pin extends Dispatcher {
  private released = false;

  constructor(
    engine: Engine,
    generation: Generation,
    private readonly letGo: () => void,
  ) {
    super(engine, generation);
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    this.served = this.served.emptied();
    this.letGo();
  }

  [Symbol.dispose](): void {
    this.release();
  }

  protected override listOf(name: string): DispatchList {
    if (this.released) {
      throw new HookUsageError(
        "HOOK_PIN_RELEASED",
        `Hook "${name}" was dispatched through a released pin. Dispatch before releasing it, or pin again.`,
      );
    }
    return super.listOf(name);
  }
}

function hookCounts({ counters, entries }: DispatchList): HookCounts {
  const { dispatched, ok } = counters;
  return { ...counters.read(), dispatched, ok, handlers: entries.length };
}

function refusePromise(result: unknown): void {
  const promise = promiseOf(result);
  if (promise === null) return;
  ignore(promise);
  throw new HookUsageError(
    "HOOK_TRANSACTION",
    "A transaction's function returned a promise. Prepare first, then make the changes synchronously.",
  );
}
