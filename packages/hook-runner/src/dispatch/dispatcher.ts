import type { HookKind } from "../define/definition.js";
import type { Fields } from "../define/fields.js";
import { HookUsageError, type PluginHookExecutionError } from "../errors.js";
import type { Generation } from "../generations/generation.js";
import { contextFieldsOf } from "./call-context.js";
import { detailsOf } from "./details.js";
import type { DispatchDetails, DispatchOptions, ObserveOptions } from "./dispatch.js";
import type { Engine } from "./engine.js";
import { Frame, OUTSIDE } from "./frame.js";
import type { DispatchList, ListPart } from "./list.js";
import { nestedTooDeep, pathOf } from "./nesting.js";
import { DONE, ParallelRun } from "./parallel-run.js";
import type { DispatchRecord } from "./record.js";
import { SequentialRun } from "./sequential-run.js";
import { SyncRun } from "./sync-run.js";

type Result = Fields | undefined;
type MaybePromise<T> = T | Promise<T>;

const SEQUENTIAL: readonly HookKind[] = ["rewrite", "decide", "claim"];

/** Dispatches through the lists of a generation; `HookDispatch` is its typed interface. */
export abstract class Dispatcher {
  constructor(
    protected readonly engine: Engine,
    /** Serves the next dispatch. */
    protected served: Generation,
  ) {}

  get generation(): number {
    return this.served.number;
  }

  observe(name: string, event: object, context: object, options?: ObserveOptions): Promise<void> {
    const list = this.list(name, "observe", options);
    const record = this.engine.recorder.open(list, context);
    const first = list.entries[0];
    const frame = first === undefined ? null : this.frame(list, event, context, record);
    if (first === undefined || frame === null) {
      skip(list, record);
      return DONE;
    }
    const refusal = refusalOf(list, frame, record);
    if (refusal !== null) return Promise.reject(refusal);
    const wait = options?.wait ?? "all";
    return new ParallelRun(this.engine, list, first, frame, options?.signal, record, wait).start();
  }

  rewrite(
    name: string,
    event: object,
    context: object,
    options?: DispatchOptions,
  ): MaybePromise<Result> {
    const list = this.list(name, "rewrite", options);
    if (this.engine.recorder.ignores(list)) return undefined;
    const record = this.engine.recorder.open(list, context);
    return this.runSequential(list, event, context, options, record);
  }

  decide(
    name: string,
    event: object,
    context: object,
    options?: DispatchOptions,
  ): MaybePromise<Result> {
    const list = this.list(name, "decide", options);
    if (this.engine.recorder.ignores(list)) return undefined;
    const record = this.engine.recorder.open(list, context);
    return this.runSequential(list, event, context, options, record);
  }

  claim(
    name: string,
    event: object,
    context: object,
    options?: DispatchOptions,
  ): MaybePromise<Result> {
    const list = this.list(name, "claim", options);
    if (this.engine.recorder.ignores(list)) return undefined;
    const record = this.engine.recorder.open(list, context);
    return this.runSequential(list, event, context, options, record);
  }

  sync(name: string, event: object, context: object, options?: DispatchOptions): Result {
    const list = this.list(name, "sync", options);
    list.watchAfter(this.engine.deadlines.stalls);
    return this.runSync(list, event, context, this.engine.recorder.open(list, context));
  }

  async detailed(
    name: string,
    event: object,
    context: object,
    options?: DispatchOptions,
  ): Promise<DispatchDetails<Fields>> {
    const { kind } = this.listOf(name);
    const list = this.list(name, SEQUENTIAL.includes(kind) ? kind : "decide", options);
    const record = this.engine.recorder.openDetailed(list, context);
    return detailsOf(record, await this.runSequential(list, event, context, options, record));
  }

  detailedSync(
    name: string,
    event: object,
    context: object,
    options?: DispatchOptions,
  ): DispatchDetails<Fields> {
    const list = this.list(name, "sync", options);
    const record = this.engine.recorder.openDetailed(list, context);
    return detailsOf(record, this.runSync(list, event, context, record));
  }

  has(name: string, context?: object, event: object = {}, part: ListPart = {}): boolean {
    const list = this.listOf(name).part(part);
    if (context === undefined) return list.entries.length > 0;
    return list.hasMatch(event as Fields, contextFieldsOf(context));
  }

  annotations(name: string, context: object): readonly unknown[] {
    const fields = contextFieldsOf(context);
    return this.listOf(name)
      .entries.filter(({ scope }) => scope === null || scope.matches({}, fields))
      .map(({ registration }) => registration.options.annotation);
  }

  /** @throws UnknownHookError */
  protected listOf(name: string): DispatchList {
    const list = this.served.lists.get(name);
    if (list === undefined) throw this.engine.hooks.unknown(name, undefined);
    return list;
  }

  private list(name: string, kind: HookKind, options: ListPart | undefined): DispatchList {
    const list = this.served.lists.get(name);
    if (list === undefined || list.kind !== kind) return this.refuse(name, kind);
    return options === undefined ? list : list.part(options);
  }

  /** @throws UnknownHookError, or HookUsageError when the hook is of another kind */
  private refuse(name: string, kind: HookKind): never {
    const { kind: actual } = this.listOf(name);
    throw new HookUsageError(
      "HOOK_WRONG_KIND",
      `Hook "${name}" is of kind ${actual}, not ${kind}; dispatch it with ${actual}().`,
    );
  }

  private runSequential(
    list: DispatchList,
    event: object,
    context: object,
    options: DispatchOptions | undefined,
    record: DispatchRecord | null,
  ): MaybePromise<Result> {
    if (list.entries.length === 0) return skip(list, record);
    const frame = this.frame(list, event, context, record);
    if (frame === null) return skip(list, record);
    const refusal = refusalOf(list, frame, record);
    if (refusal !== null) return Promise.reject(refusal);
    return new SequentialRun(this.engine, list, frame, options?.signal, record).start();
  }

  /** @throws PluginHookExecutionError */
  private runSync(
    list: DispatchList,
    event: object,
    context: object,
    record: DispatchRecord | null,
  ): Result {
    if (list.entries.length === 0) return skip(list, record);
    const frame = this.frame(list, event, context, record);
    if (frame === null) return skip(list, record);
    const refusal = refusalOf(list, frame, record);
    if (refusal !== null) throw refusal;
    return new SyncRun(this.engine, list, frame, record).run();
  }

  /**
   * Returns the event of the first handler; `null` if none is in scope and the dispatch is not
   * recorded.
   */
  private frame(
    list: DispatchList,
    event: object,
    context: object,
    record: DispatchRecord | null,
  ): Frame | null {
    const fields = event as Fields;
    const surroundings = contextFieldsOf(context);
    if (record === null && !list.hasMatch(fields, surroundings)) return null;
    return new Frame(fields, surroundings, pathOf(this.engine, context));
  }
}

/** The error of a dispatch that is nested too deep. */
function refusalOf(
  { hook }: DispatchList,
  { path }: Frame,
  record: DispatchRecord | null,
): PluginHookExecutionError | null {
  if (path === OUTSIDE) return null;
  const refusal = nestedTooDeep(hook, path);
  if (refusal !== null) record?.finish("failed", refusal);
  return refusal;
}

/** Ends a dispatch without handlers. */
function skip({ counters }: DispatchList, record: DispatchRecord | null): undefined {
  counters.ok += 1;
  record?.finish("completed", undefined);
}
