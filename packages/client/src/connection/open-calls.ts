import type { TimerHandle, Timers } from "@openclaw/foundation";
import {
  type GatewayClientError,
  GatewayOverloadError,
  GatewayRequestTooLargeError,
  GatewayStreamError,
  GatewayTimeoutError,
} from "../errors.js";
import { refusalOf } from "../refusal.js";
import type { ResponseFrame } from "./socket.js";

/** Maximum number of calls that wait for a connection or a response. */
const MAXIMUM_CALLS = 1000;
/** Maximum number of calls that are sent without a response; a gateway accepts more. */
const MAXIMUM_SENT = 32;
/** Number of connections that may be lost while a call is open; more would mean that the call itself ends them. */
const MAXIMUM_ATTEMPTS = 5;

/** Call of a method. */
export interface OpenCall {
  readonly method: string;
  /** Parameters, with the idempotency key of a method that writes. */
  readonly params: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Time in milliseconds until the response; `Infinity` waits without limit. */
  readonly timeoutMs: number;
  /** False for a call that the loss of its connection completes. */
  readonly isRepeated: boolean;
}

interface Entry {
  readonly id: string;
  readonly method: string;
  readonly text: string;
  readonly isRepeated: boolean;
  readonly settle: (outcome: { payload: unknown } | { error: unknown }) => void;
  attempts: number;
}

/** Connection over which calls are sent. */
export interface CallTransport {
  readonly maxPayloadBytes: number;
  send(text: string): void;
}

/**
 * Calls without a response. Calls that are open when a connection is lost are sent again over the next one, in their
 * order; a method that writes has an idempotency key, so the gateway executes it once.
 */
export class OpenCalls {
  readonly #url: string;
  readonly #timers: Timers;
  readonly #waiting: Entry[] = [];
  readonly #sent = new Map<string, Entry>();
  #transport: CallTransport | undefined;
  #nextId = 0;

  /**
   * @param url - URL of the gateway, for messages
   * @param timers - timers of the deadlines
   */
  constructor(url: string, timers: Timers) {
    this.#url = url;
    this.#timers = timers;
  }

  /**
   * Sends a call, at once or when there is a connection.
   * @param call - method, parameters and deadline
   * @returns the result
   * @throws GatewayClientError, and the reason of the signal
   */
  add(call: OpenCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      call.signal?.throwIfAborted();
      if (this.#waiting.length + this.#sent.size >= MAXIMUM_CALLS) {
        const next = "wait for the connection, or for a response, before the next call";
        throw new GatewayOverloadError(`${MAXIMUM_CALLS} calls wait for the gateway; ${next}`);
      }
      this.#nextId += 1;
      const id = `c${this.#nextId}`;
      const { method, params, isRepeated } = call;
      const settlement = this.#settlement(call, id);
      this.#waiting.push({
        id,
        method,
        isRepeated,
        text: JSON.stringify({ type: "req", id, method, params }),
        attempts: 0,
        settle: (outcome) => {
          settlement.release();
          if ("error" in outcome) reject(outcome.error);
          else resolve(outcome.payload);
        },
      });
      this.#sendWaiting();
    });
  }

  /**
   * Sends the calls that wait.
   * @param transport - new connection
   */
  connected(transport: CallTransport): void {
    this.#transport = transport;
    this.#sendWaiting();
  }

  /**
   * Keeps the calls for the next connection.
   * @param error - reason why the connection was lost
   */
  disconnected(error: GatewayClientError): void {
    this.#transport = undefined;
    const open = [...this.#sent.values(), ...this.#waiting.splice(0)];
    this.#sent.clear();
    for (const call of open) {
      if (!call.isRepeated) {
        call.settle({ payload: undefined });
      } else if (call.attempts < MAXIMUM_ATTEMPTS) {
        this.#waiting.push(call);
      } else {
        const message = `${call.method} was sent ${MAXIMUM_ATTEMPTS} times, and the connection was lost each time: ${error.message}`;
        call.settle({ error: new GatewayStreamError(message, { cause: error }) });
      }
    }
  }

  /** Settles the call of a response. */
  responded(frame: ResponseFrame): void {
    const call = this.#sent.get(frame.id);
    // The caller stopped waiting.
    if (call === undefined) return;
    this.#sent.delete(frame.id);
    if (frame.ok) call.settle({ payload: frame.payload });
    else call.settle({ error: refusalOf(frame.error, { url: this.#url }) });
    this.#sendWaiting();
  }

  /**
   * Rejects every call.
   * @param error - reason
   */
  end(error: GatewayClientError): void {
    this.#transport = undefined;
    const open = [...this.#sent.values(), ...this.#waiting.splice(0)];
    this.#sent.clear();
    for (const call of open) call.settle({ error });
  }

  #sendWaiting(): void {
    const transport = this.#transport;
    if (transport === undefined) return;
    while (this.#sent.size < MAXIMUM_SENT) {
      const call = this.#waiting.shift();
      if (call === undefined) return;
      const bytes = new TextEncoder().encode(call.text).length;
      if (bytes > transport.maxPayloadBytes) {
        const message = `the call of ${call.method} has ${bytes} bytes, and the gateway accepts ${transport.maxPayloadBytes}; send less`;
        call.settle({ error: new GatewayRequestTooLargeError(message) });
        continue;
      }
      call.attempts += 1;
      this.#sent.set(call.id, call);
      transport.send(call.text);
    }
  }

  /** Ends a call at its deadline or by its signal. */
  #settlement({ signal, timeoutMs, method }: OpenCall, id: string): { release(): void } {
    let timer: TimerHandle | undefined;
    const stop = (error: unknown) => this.#remove(id)?.settle({ error });
    const onAbort = () => stop(signal?.reason);
    if (timeoutMs !== Number.POSITIVE_INFINITY) {
      timer = this.#timers.setTimeout(() => {
        const message = `the gateway at ${this.#url} did not respond to ${method} within ${timeoutMs} ms; the call may still have an effect`;
        stop(new GatewayTimeoutError(message));
      }, timeoutMs);
    }
    signal?.addEventListener("abort", onAbort, { once: true });
    return {
      release: () => {
        if (timer !== undefined) this.#timers.clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      },
    };
  }

  #remove(id: string): Entry | undefined {
    const sent = this.#sent.get(id);
    if (sent !== undefined) {
      this.#sent.delete(id);
      this.#sendWaiting();
      return sent;
    }
    const index = this.#waiting.findIndex((call) => call.id === id);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }
}
