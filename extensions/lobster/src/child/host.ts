import type { ChildMessage, Effect, EffectResult, ParentMessage } from "../run/messages.js";

const MOST_STEPS = 1000;

/** Connection of the child process to its parent. */
export class HostConnection {
  readonly #waiting = new Map<number, (result: EffectResult) => void>();
  #last = 0;
  #steps = 0;

  /** @param message - message of the parent */
  receive(message: ParentMessage): void {
    if (message.kind !== "effect-result") return;
    this.#waiting.get(message.id)?.(message.result);
    this.#waiting.delete(message.id);
  }

  /**
   * Asks the host to perform an effect.
   * @param step - step that has it
   * @param signal - gives up the wait
   * @throws Error with the reason when the effect failed or was denied
   */
  async perform(effect: Effect, step: string | undefined, signal?: AbortSignal) {
    signal?.throwIfAborted();
    this.countStep(step);
    this.#last += 1;
    const id = this.#last;
    const result = await new Promise<EffectResult>((resolve, reject) => {
      this.#waiting.set(id, resolve);
      signal?.addEventListener(
        "abort",
        () => {
          this.#waiting.delete(id);
          send({ kind: "cancel-effect", id });
          reject(signal.reason);
        },
        { once: true },
      );
      send({ kind: "effect", id, step, effect });
    });
    if (result.ok) return result.value;
    throw new Error(result.message);
  }

  /**
   * Reports that a stage starts.
   * @param name - name of the command
   */
  stage(name: string): void {
    send({ kind: "stage", name });
  }

  /** Counts a step, and ends the run at the limit (LOB-019). */
  countStep(step: string | undefined): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) {
      this.limit(`the run has more than ${MOST_STEPS} steps`, step);
      throw new Error(`the run has more than ${MOST_STEPS} steps`);
    }
  }

  /**
   * Reports that a limit of the output was reached.
   * @param message - the limit
   * @param step - step that reached it
   */
  limit(message: string, step: string | undefined): void {
    send({ kind: "limit", message, step });
  }
}

/** Sends a message to the parent. */
export function send(message: ChildMessage): void {
  process.send?.(message);
}

/** Sends the last message, and ends the connection once it was written. */
export function sendLast(message: ChildMessage): void {
  process.send?.(message, undefined, {}, () => process.disconnect());
}
