import { tracingChannel } from "node:diagnostics_channel";

/** Message of a trace: the IDs of the traced work, and after its end what is known of the end. */
export type TraceMessage<Ids extends object, End extends object> = Ids &
  Partial<End> & {
    /** Duration in milliseconds; set at the end. */
    durationMs?: number;
    /** Code of the error that ended the work, without its message. */
    errorCode?: string;
  };

/** Publishes the start and end of work for tools that observe a process. */
export interface TraceChannel<Ids extends object, End extends object> {
  /**
   * Runs work, and publishes its start, end and failure if someone has subscribed. Storages that are bound to
   * the start of the channel are set during the work.
   * @param ids - returns the IDs of the work; called only for a subscriber
   * @param work - the work
   * @param endOf - returns what is published of its result
   * @throws what the work throws
   */
  trace<Result>(
    ids: () => Ids,
    work: () => Promise<Result>,
    endOf: (result: Result) => End,
  ): Promise<Result>;
}

/**
 * Returns a `TracingChannel` of `node:diagnostics_channel` whose messages contain IDs and no content: neither
 * results nor error messages, which the channels of Node.js publish.
 * @param name - name of the channel, for example `openclaw:turn`
 */
export function traceChannel<Ids extends object, End extends object>(
  name: string,
): TraceChannel<Ids, End> {
  const channels = tracingChannel<unknown, TraceMessage<Ids, End>>(name);
  const { start, end, asyncEnd, error } = channels;

  async function traced<Result>(
    ids: Ids,
    work: () => Promise<Result>,
    endOf: (result: Result) => End,
  ): Promise<Result> {
    const startedAt = performance.now();
    let message: TraceMessage<Ids, End> = { ...ids };
    const running = start.runStores(message, () => {
      const begun = work();
      end.publish(message);
      return begun;
    });
    try {
      const result = await running;
      message = Object.assign(message, endOf(result));
      return result;
    } catch (cause) {
      message.errorCode = codeOf(cause);
      error.publish(message);
      throw cause;
    } finally {
      message.durationMs = performance.now() - startedAt;
      asyncEnd.publish(message);
    }
  }

  return {
    trace: (ids, work, endOf) => (channels.hasSubscribers ? traced(ids(), work, endOf) : work()),
  };
}

function codeOf(cause: unknown): string {
  const isCoded = typeof cause === "object" && cause !== null && "code" in cause;
  return isCoded && typeof cause.code === "string" ? cause.code : "UNEXPECTED";
}
