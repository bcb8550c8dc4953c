import { type TracingChannel, tracingChannel } from "node:diagnostics_channel";
import type { DispatchOutcome } from "../observe/trace.js";
import type { DispatchRecord } from "./record.js";

/** Message on the tracing channel of a runner: IDs and outcomes, no events and no error messages. */
export interface DispatchMessage {
  readonly hook: string;
  /** Number of the dispatch in this process. */
  readonly dispatch: number;
  /** Owners of the handlers, in order. */
  readonly owners: readonly string[];
  readonly traceIds: Readonly<Record<string, unknown>>;
  /** Set at the end. */
  outcome?: DispatchOutcome;
  durationMs?: number;
  /** Code of the failure that ended the dispatch. */
  errorCode?: string;
}

/** Publishes dispatches on a `TracingChannel` of `node:diagnostics_channel`. */
export class DispatchTracing {
  private readonly channels: TracingChannel<unknown, DispatchMessage>;
  private readonly messages = new WeakMap<DispatchRecord, DispatchMessage>();

  /** @param name - name of the channel */
  constructor(name: string) {
    this.channels = tracingChannel<unknown, DispatchMessage>(name);
  }

  /** True if someone has subscribed. */
  get isHeard(): boolean {
    return this.channels.hasSubscribers;
  }

  /**
   * Publishes the start of a dispatch.
   * @param traceIds - ids of the enclosing trace
   */
  started(record: DispatchRecord, traceIds: Readonly<Record<string, unknown>>): void {
    const message: DispatchMessage = {
      hook: record.list.hook.name,
      dispatch: record.id,
      owners: record.list.entries.map(({ registration }) => registration.identity.owner),
      traceIds,
    };
    this.messages.set(record, message);
    this.channels.start.publish(message);
  }

  /**
   * Publishes the end of a dispatch whose start was published.
   * @param record - finished record
   */
  ended(record: DispatchRecord): void {
    const message = this.messages.get(record);
    if (message === undefined) return;
    message.outcome = record.outcome ?? "completed";
    message.durationMs = record.durationMs;
    if (record.error !== undefined) {
      message.errorCode = record.error.code;
      this.channels.error.publish(message);
    }
    this.channels.asyncEnd.publish(message);
  }
}
