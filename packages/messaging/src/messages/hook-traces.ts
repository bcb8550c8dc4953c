import type { DispatchTrace } from "@openclaw/hook-runner";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { RunHookNote } from "@openclaw/protocol";
import type { RuleSet } from "@openclaw/safety";
import type { Store, TraceSegment } from "@openclaw/store";
import { failureRecord } from "./failure-record.js";
import { FineClock } from "./fine-clock.js";
import { hookNote, withoutContent } from "./hook-note.js";
import type { TracedRun } from "./traced-run.js";

/** Maximum number of dispatches recorded for one segment of a run. */
const MOST_NOTES = 2000;
/** Maximum number of ended runs whose late observers are still recorded. */
const MOST_ENDED = 256;
/**
 * Time in milliseconds for which notes after the ends of runs are collected before they are written together.
 */
const GATHERING_MS = 50;

/** Dependencies of {@link HookTraces}. */
export interface HookTracesDependencies {
  readonly store: Pick<Store, "turns" | "transaction">;
  readonly plugins: Pick<PluginRuntime, "inspection">;
  readonly logger: Logger;
  /** Returns the rules with which notes are redacted; undefined stands for the built-in ones. */
  rules(): RuleSet | undefined;
}

/** Notes of the hook dispatches of one message so far. */
interface OpenTrace {
  holders: number;
  notes: RunHookNote[];
  omitted: number;
  /** True when the gate has blocked the message: nothing that was written in it is kept. */
  withheld: boolean;
  run: TracedRun | undefined;
}

/**
 * Records hook dispatches while messages are processed, for the traces of their runs. Notes up to the end of
 * a run are written in the transaction that ends it; later ones, such as delivery and slow observers, are
 * written together shortly afterwards.
 */
export class HookTraces {
  readonly #dependencies: HookTracesDependencies;
  readonly #open = new Map<string, OpenTrace>();
  readonly #ended = new Map<string, OpenTrace & { run: TracedRun }>();
  readonly #stopListening: () => void;
  readonly #clock = new FineClock();
  #late: TraceSegment[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();

  /** @param dependencies - store, hooks and log */
  constructor(dependencies: HookTracesDependencies) {
    this.#dependencies = dependencies;
    this.#stopListening = dependencies.plugins.inspection.trace((trace) => this.#record(trace), {
      diff: true,
      results: true,
      handledOnly: true,
    });
  }

  /**
   * Records the dispatches of a message until every returned handle is disposed.
   * @param traceId - trace ID of the message
   * @param run - run that the notes belong to; without it they are not written
   */
  hold(traceId: string, run?: TracedRun): Disposable {
    const trace = this.#open.get(traceId) ?? this.#begin(traceId);
    trace.holders += 1;
    trace.run ??= run;
    return {
      [Symbol.dispose]: () => {
        trace.holders -= 1;
        if (trace.holders > 0) return;
        this.#open.delete(traceId);
        if (trace.run === undefined) return;
        this.#gather(trace, trace.run);
        this.#ended.set(traceId, { ...trace, run: trace.run, notes: [], omitted: 0 });
        for (const oldest of this.#ended.keys()) {
          if (this.#ended.size <= MOST_ENDED) break;
          this.#ended.delete(oldest);
        }
      },
    };
  }

  /**
   * Returns the notes since the last call; they are to be written when the run ends or pauses.
   * @param run - run whose trace is held
   * @param options - `withheld` when the gate blocked the message; from then on, no content is kept
   */
  take(
    run: TracedRun,
    { withheld = false }: { withheld?: boolean } = {},
  ): TraceSegment | undefined {
    const trace = this.#open.get(run.traceId);
    if (trace === undefined) return undefined;
    trace.withheld ||= withheld;
    return segmentOf(trace, run);
  }

  /**
   * Returns the notes of an active run that have not been written yet.
   * @param traceId - trace ID of its message
   */
  peek(traceId: string): readonly RunHookNote[] {
    return this.#open.get(traceId)?.notes ?? [];
  }

  /** Resolves when all notes after the ends of runs are written. */
  async settled(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  /** Stops recording, and writes the remaining notes. */
  async close(): Promise<void> {
    this.#stopListening();
    await this.settled();
  }

  #begin(traceId: string): OpenTrace {
    const trace = { holders: 0, notes: [], omitted: 0, withheld: false, run: undefined };
    this.#open.set(traceId, trace);
    return trace;
  }

  #record(dispatch: DispatchTrace): void {
    const traceId = String(dispatch.traceIds.traceId);
    const open = this.#open.get(traceId);
    const trace = open ?? this.#ended.get(traceId);
    if (trace === undefined) return;
    if (trace.notes.length >= MOST_NOTES) trace.omitted += 1;
    else trace.notes.push(this.#note(dispatch));
    if (open === undefined && trace.run !== undefined) this.#gather(trace, trace.run);
  }

  #note(dispatch: DispatchTrace): RunHookNote {
    return hookNote(dispatch, this.#clock.now(), this.#dependencies.rules());
  }

  #gather(trace: OpenTrace, run: TracedRun): void {
    const segment = segmentOf(trace, run);
    if (segment === undefined) return;
    this.#late.push(segment);
    this.#timer ??= setTimeout(() => this.#write(), GATHERING_MS).unref();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const segments = this.#late;
    this.#late = [];
    if (segments.length === 0) return;
    const { store, logger } = this.#dependencies;
    this.#writing = this.#writing
      .then(() =>
        store.transaction(async (unit) => {
          for (const segment of segments) await unit.turns.traces.add(segment);
        }),
      )
      .catch((error: unknown) => {
        const { code, message } = failureRecord(error);
        logger.warn(`hook traces after the end of runs could not be stored: ${message}`, {
          code,
        });
      });
  }
}

function segmentOf(trace: OpenTrace, run: TracedRun): TraceSegment | undefined {
  const { notes, omitted, withheld } = trace;
  if (notes.length === 0) return undefined;
  trace.notes = [];
  trace.omitted = 0;
  const kept = withheld ? notes.map(withoutContent) : notes;
  return { ...run, hooks: omitted === 0 ? kept : [...kept, { omitted }] };
}
