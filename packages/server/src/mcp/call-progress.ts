import type { ServerContext } from "@modelcontextprotocol/server";
import type { Clock, TimerHandle } from "@openclaw/foundation";

/** Interval in milliseconds at which a call without news reports that it continues, so that clients keep waiting. */
const INTERVAL_MS = 10_000;

/** Progress of one call, sent to a client that asks for it. */
export class CallProgress implements Disposable {
  readonly #context: ServerContext;
  readonly #timers: Pick<Clock, "setInterval" | "clearInterval">;
  readonly #beat: TimerHandle;
  #count = 0;
  #state: string;

  /**
   * @param context - context of the request
   * @param state - sentence about the call for a person
   * @param timers - timers of the process
   */
  constructor(
    context: ServerContext,
    state: string,
    timers: Pick<Clock, "setInterval" | "clearInterval">,
  ) {
    this.#context = context;
    this.#state = state;
    this.#timers = timers;
    this.#beat = timers.setInterval(() => this.#send(this.#state), INTERVAL_MS);
  }

  /**
   * Reports a new state, and repeats it until the next one.
   * @param state - sentence about the call for a person
   */
  enter(state: string): void {
    this.#state = state;
    this.#send(state);
  }

  /**
   * Reports text once, for example a part of a reply.
   * @param message - text for a person
   */
  note(message: string): void {
    this.#send(message);
  }

  [Symbol.dispose](): void {
    this.#timers.clearInterval(this.#beat);
  }

  #send(message: string): void {
    const { _meta, notify, signal } = this.#context.mcpReq;
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined || signal.aborted) return;
    this.#count += 1;
    const params = { progressToken, progress: this.#count, message };
    // A client that is gone receives no progress; the request itself ends with its signal.
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  }
}
