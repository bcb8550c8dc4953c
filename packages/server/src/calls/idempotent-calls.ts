import { IdempotencyMismatchError } from "@openclaw/protocol/registry";

/** Call with an idempotency key. */
export interface KeyedCall {
  readonly callerId: string;
  readonly key: string;
  readonly method: string;
  /** SHA-256 of the parameters, in hex. */
  readonly digest: string;
}

interface Execution {
  readonly method: string;
  readonly digest: string;
  readonly outcome: Promise<unknown>;
}

/** Executes each call once, and returns its first result to repeats (GW-022). */
export class IdempotentCalls {
  readonly #executions = new Map<string, Execution>();

  /**
   * Executes a call, unless it is a repeat; a repeat of a call in progress waits for it.
   * @param call - caller, key, method and digest of the parameters
   * @param execute - executes the call
   * @returns the result of the first call with this key
   * @throws IdempotencyMismatchError when the key was used with another method or other parameters
   * @throws what the first call threw
   */
  once(call: KeyedCall, execute: () => Promise<unknown>): Promise<unknown> {
    const { callerId, key, method, digest } = call;
    const place = JSON.stringify([callerId, key]);
    const known = this.#executions.get(place);
    if (known === undefined) {
      const outcome = execute();
      this.#executions.set(place, { method, digest, outcome });
      outcome.catch(() => this.#executions.delete(place));
      return outcome;
    }
    if (known.method !== method || known.digest !== digest) {
      return Promise.reject(new IdempotencyMismatchError(key, known.method));
    }
    return known.outcome;
  }
}
