import { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";

/** Fields that say to which turn a line of the log belongs. */
export interface TurnIds {
  readonly runId: string;
  readonly sessionKey: string;
  /** Absent for a turn without a message. */
  readonly traceId?: string | undefined;
}

/** Adds the ids of the turn that runs to fields of lines, from the tracing channel of turns (GW-048, GW-049). */
export class TurnFields {
  readonly #running = new AsyncLocalStorage<TurnIds>();
  readonly #start = tracingChannel<TurnIds, TurnIds>("openclaw:turn").start;

  constructor() {
    this.#start.bindStore(this.#running, ({ runId, sessionKey, traceId }) => ({
      ...{ runId, sessionKey, traceId },
    }));
  }

  /**
   * Returns fields with the ids of the turn in which it is called; ids that the line has already are kept.
   * @param fields - fields of a line
   * @param bindings - fields of every line of its logger
   */
  with(
    fields: Record<string, unknown>,
    bindings: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    const turn = this.#running.getStore();
    if (turn === undefined) return fields;
    const own = Object.entries(turn).filter(([key]) => !Object.hasOwn(bindings, key));
    return { ...Object.fromEntries(own), ...fields };
  }

  /** Stops following turns. */
  close(): void {
    this.#start.unbindStore(this.#running);
  }
}
