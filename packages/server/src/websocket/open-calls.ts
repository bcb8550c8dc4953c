import type { MethodCaller, MethodConnection } from "@openclaw/protocol";
import type { CallOutcome, MethodCalls } from "../calls/method-calls.js";

/** Maximum number of calls of one connection that are open at the same time. */
export const MAXIMUM_OPEN_CALLS = 64;

/** Calls of one connection that have no response yet. */
export class OpenCalls {
  readonly #calls: Pick<MethodCalls, "execute">;
  readonly #ids = new Set<string>();
  readonly #ending = new AbortController();

  /** @param calls - executes the calls */
  constructor(calls: Pick<MethodCalls, "execute">) {
    this.#calls = calls;
  }

  /** True if no further call may be opened. */
  get isFull(): boolean {
    return this.#ids.size >= MAXIMUM_OPEN_CALLS;
  }

  /**
   * Returns true if a call with an ID is open.
   * @param id - ID of a request frame
   */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /**
   * Executes a call.
   * @param request - ID, method and parameters
   * @param caller - holder of the connection
   * @param connection - connection of the call
   */
  async execute(
    { id, method, params }: { id: string; method: string; params?: unknown },
    caller: MethodCaller,
    connection: MethodConnection,
  ): Promise<CallOutcome> {
    this.#ids.add(id);
    try {
      const { signal } = this.#ending;
      return await this.#calls.execute({ method, params, caller, signal, connection });
    } finally {
      this.#ids.delete(id);
    }
  }

  /** Aborts the signals of the open calls. */
  close(): void {
    this.#ending.abort(new Error("the client has disconnected"));
  }
}
