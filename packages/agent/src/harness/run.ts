import type { ModelEvent, ModelRequest } from "@openclaw/models";
import { HarnessAttempt } from "./attempt.js";
import type { HarnessTurn } from "./harness.js";

/**
 * The harness of one turn. Its attempt lasts over several requests of the turn, and over a wait for approval as long as
 * the process lives: then the owner of the turn creates it and disposes it when the turn has ended.
 */
export class HarnessRun implements Disposable {
  #attempt: HarnessAttempt | undefined;

  /**
   * Returns the events of one request: the running attempt continues, or a new one starts.
   * @param turn - the turn and its harness
   * @param request - conversation and tools
   * @param signal - aborts when the turn ends
   */
  events(
    turn: HarnessTurn,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    if (this.#attempt?.awaits(turn.selected) !== true) {
      this.#attempt?.finish();
      this.#attempt = new HarnessAttempt(turn, request);
    }
    return this.#attempt.events(request, signal);
  }

  [Symbol.dispose](): void {
    this.#attempt?.finish();
    this.#attempt = undefined;
  }
}
