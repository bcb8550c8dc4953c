import { channel } from "node:diagnostics_channel";

/** Fuel of one call. */
export interface CallFuel {
  readonly component: string;
  /** Units that the call consumed. */
  readonly consumed: number;
  /** Units that it had. */
  readonly limit: number;
}

/** Number of calls that are remembered. */
const KEPT_CALLS = 200;

/** Read by the metrics of the host (WASM-018). */
const consumed = channel("openclaw:wasm-fuel");

/** Remembers what the newest calls consumed, by the ID of the call (WASM-018). */
export class FuelLog {
  readonly #calls = new Map<string, CallFuel>();

  note(toolCallId: string, fuel: CallFuel): void {
    this.#calls.set(toolCallId, fuel);
    consumed.publish(fuel);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > KEPT_CALLS && oldest !== undefined) this.#calls.delete(oldest);
  }

  /** Returns the fuel of a call; undefined when it is not known. */
  of(toolCallId: string): CallFuel | undefined {
    return this.#calls.get(toolCallId);
  }
}
