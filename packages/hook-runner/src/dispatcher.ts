import { callOf, contextFieldsOf } from "./call-context.js";
import { eventFieldsOf } from "./call-event.js";
import type { HookKind } from "./definition.js";
import { detailsOf } from "./details.js";
import type { DispatchDetails, DispatchOptions, ObserveOptions } from "./dispatch.js";
import type { DispatchList } from "./dispatch-list.js";
import type { DispatchRecord } from "./dispatch-record.js";
import type { Engine } from "./engine.js";
import { HookUsageError, type PluginHookExecutionError } from "./errors.js";
import type { Fields } from "./fields.js";
import { Frame } from "./frame.js";
import type { Generation } from "./generation.js";
import { nestedTooDeep } from "./nesting.js";
import { ParallelRun } from "./parallel-run.js";
import { SequentialRun } from "./sequential-run.js";
import { runSync } from "./sync-run.js";

type Result = Fields | undefined;
type MaybePromise<T> = T | Promise<T>;

const SEQUENTIAL: readonly HookKind[] = ["rewrite", "decide", "claim"];

/** Dispatches through the lists of a generation; `HookDispatch` is its typed face. */
export abstract class Dispatcher {
  constructor(protected readonly engine: Engine) {}

  /** The generation that serves the next dispatch. */
  protected abstract current(): Generation;

  get generation(): number {
    return this.current().number;
  }

  observe(
    name: string,
    event: object,
    context: object,
    options?: ObserveOptions,
  ): Promise<void> | undefined {
    const list = this.list(name, "observe", options);
    const record = this.engine.recorder.open(list, contextFieldsOf(context));
    const frame = this.frame(list, event, context, record);
    if (frame === null) return undefined;
    const refusal = this.refusal(frame, record);
    if (refusal !== null) return Promise.reject(refusal);
    const wait = options?.wait ?? "all";
    return new ParallelRun(this.engine, list, frame, options?.signal, record, wait).start();
  }

  rewrite(
    name: string,
    event: object,
    context: object,
    options?: DispatchOptions,
  ): MaybePromise<Result> {
    const list = this.list(name, "rewrite", options);
    const record = this.engine.recorder.open(list, contextFieldsOf(context));
    return this.runSequential(list, event, context, options, record);
  }

  decide(
    name: string,
    event: object,
    context: object,
    options?: DispatchOptions,
  ): MaybePromise<Result> {
    const list = this.list(name, "decide", options);
    const record = this.engine.recorder.open(list, contextFieldsOf(context));
    return this.runSequential(list, event, context, options, record);
  }

  claim(
    name: string,
    event: object,
    context: object,
    options?: DispatchOptions,
  ): MaybePromise<Result> {
    const list = this.list(name, "claim", options);
    const record = this.engine.recorder.open(list, contextFieldsOf(context));
    return this.runSequential(list, event, context, options, record);
  }

  sync(name: string, event: object, context: object, options?: DispatchOptions): Result {
    const list = this.list(name, "sync", options);
    const record = this.engine.recorder.open(list, contextFieldsOf(context));
    return this.runSync(list, event, context, record);
  }

  async detailed(
    name: string,
    event: object,
    context: object,
    options?: DispatchOptions,
  ): Promise<DispatchDetails<Fields>> {
    const { kind } = this.listOf(name).hook;
    const list = this.list(name, SEQUENTIAL.includes(kind) ? kind : "decide", options);
    const record = this.engine.recorder.openDetailed(list, contextFieldsOf(context));
    return detailsOf(record, await this.runSequential(list, event, context, options, record));
  }

  detailedSync(
    name: string,
    event: object,
    context: object,
    options?: DispatchOptions,
  ): DispatchDetails<Fields> {
    const list = this.list(name, "sync", options);
    const record = this.engine.recorder.openDetailed(list, contextFieldsOf(context));
    return detailsOf(record, this.runSync(list, event, context, record));
  }

  has(name: string, context?: object, event: object = {}): boolean {
    const list = this.listOf(name);
    if (context === undefined) return list.entries.length > 0;
    return list.hasMatch(eventFieldsOf(event), contextFieldsOf(context));
  }

  /** @throws UnknownHookError */
  protected listOf(name: string): DispatchList {
    const list = this.current().list(name);
    if (list === undefined) throw this.engine.hooks.unknown(name, undefined);
    return list;
  }

  private list(name: string, kind: HookKind, options: DispatchOptions | undefined): DispatchList {
    const list = this.listOf(name);
    const actual = list.hook.kind;
    if (actual !== kind) {
      throw new HookUsageError(
        "HOOK_WRONG_KIND",
        `Hook "${name}" is of kind ${actual}, not ${kind}; dispatch it with ${actual}().`,
      );
    }
    return options === undefined ? list : list.part(options);
  }

  private runSequential(
    list: DispatchList,
    event: object,
    context: object,
    options: DispatchOptions | undefined,
    record: DispatchRecord | null,
  ): MaybePromise<Result> {
    const frame = this.frame(list, event, context, record);
    if (frame === null) return undefined;
    const refusal = this.refusal(frame, record);
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
    const frame = this.frame(list, event, context, record);
    if (frame === null) return undefined;
    const refusal = this.refusal(frame, record);
    if (refusal !== null) throw refusal;
    return runSync(this.engine, list, frame, record);
  }

  /** What the first handler will see; `null` when none is in scope and nobody records that. */
  private frame(
    list: DispatchList,
    event: object,
    context: object,
    record: DispatchRecord | null,
  ): Frame | null {
    if (record === null && list.entries.length === 0) return skipped(list);
    const fields = eventFieldsOf(event);
    const surroundings = contextFieldsOf(context);
    if (record === null && !list.hasMatch(fields, surroundings)) return skipped(list);
    return new Frame(list.hook, fields, surroundings, this.engine.active ?? callOf(context));
  }

  private refusal(frame: Frame, record: DispatchRecord | null): PluginHookExecutionError | null {
    if (frame.caller === null) return null;
    const error = nestedTooDeep(frame.hook, frame.caller);
    if (error !== null) record?.finish("failed", error);
    return error;
  }
}

function skipped({ hook }: DispatchList): null {
  hook.counters.ok += 1;
  return null;
}
