import { randomUUID } from "node:crypto";
import { parseWellFormed, systemClock, type TimerHandle, type Timers } from "@openclaw/foundation";
import type { PluginGatewayMethodRegistration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { GatewayMethodFailure } from "@openclaw/plugin-sdk/http";
import type { MethodCall } from "@openclaw/protocol";
import { PluginMethodAbortedError, PluginMethodTimeoutError } from "../errors.js";
import { internalError } from "../http/internal-error.js";
import { methodFailure } from "./method-failure.js";

/** Time in milliseconds that a call has after its plugin was unloaded (GW-030). */
const UNLOADED_MS = 5000;

/** Dependencies of {@link PluginMethodCall}. */
export interface PluginMethodCallDependencies {
  readonly plugins: Pick<PluginRuntime, "current" | "pin" | "callPlugin" | "onChanged">;
  readonly logger: Logger;
  readonly timers?: Timers | undefined;
}

type Outcome =
  | { readonly type: "payload"; readonly payload: unknown }
  /** Failure that the caller receives. */
  | { readonly type: "error"; readonly error: Error }
  /** Failure that is logged, and of which the caller receives the ID. */
  | { readonly type: "thrown"; readonly thrown: unknown };

/**
 * One call of a plugin's method. It ends with the first response, with the time of the call, when the caller
 * disconnects, or 5 seconds after the plugin was unloaded; a later response is dropped.
 */
export class PluginMethodCall {
  readonly #registration: PluginGatewayMethodRegistration;
  readonly #call: MethodCall;
  readonly #dependencies: PluginMethodCallDependencies;
  readonly #ending = new AbortController();
  readonly #running = new Set<TimerHandle>();
  #settle: (outcome: Outcome) => void = () => {};

  /**
   * @param call - caller and its signal
   * @param dependencies - plugins, log and timers
   */
  constructor(
    registration: PluginGatewayMethodRegistration,
    call: MethodCall,
    dependencies: PluginMethodCallDependencies,
  ) {
    this.#registration = registration;
    this.#call = call;
    this.#dependencies = dependencies;
  }

  /**
   * Runs the handler. The plugin's generation is held until the call ends.
   * @param params - parameters from the client
   * @returns payload as JSON value
   * @throws PluginMethodFailedError, PluginMethodTimeoutError, PluginMethodAbortedError
   * @throws InternalError when the handler throws, or its payload is not a JSON value
   */
  async run(params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { plugins } = this.#dependencies;
    const { timeoutMs, method, pluginId, ended } = this.#registration;
    const pin = plugins.pin();
    const stopListening = plugins.onChanged(() => this.#endWithPlugin());
    const signal = AbortSignal.any([this.#call.signal, ended, this.#ending.signal]);
    const outcome = new Promise<Outcome>((resolve) => {
      this.#settle = resolve;
    });
    const abort = () => this.#settle({ type: "error", error: this.#aborted() });
    signal.addEventListener("abort", abort, { once: true });
    this.#after(timeoutMs, () => new PluginMethodTimeoutError(method, pluginId, timeoutMs));
    try {
      if (signal.aborted) abort();
      else this.#start(params, signal);
      return this.#payloadOf(await outcome);
    } finally {
      signal.removeEventListener("abort", abort);
      stopListening();
      const { clearTimeout } = this.#timers;
      for (const timer of this.#running) clearTimeout(timer);
      pin.release();
    }
  }

  get #timers(): Timers {
    return this.#dependencies.timers ?? systemClock;
  }

  #start(params: Readonly<Record<string, unknown>>, signal: AbortSignal): void {
    const { handler, method, pluginId } = this.#registration;
    const { id, scopes } = this.#call.caller;
    const respond = (ok: boolean, payload?: unknown, failure?: GatewayMethodFailure) =>
      this.#settle(ok ? { type: "payload", payload } : this.#failed(payload, failure));
    const work = async () => {
      const returned: unknown = await handler({
        req: { id: randomUUID(), method },
        params,
        client: { id, scopes },
        respond,
        signal,
      });
      // Older handlers return nothing, and respond later.
      if (returned !== undefined) this.#settle({ type: "payload", payload: returned });
    };
    const started = this.#dependencies.plugins.callPlugin(pluginId, work);
    started.catch((thrown: unknown) => this.#settle({ type: "thrown", thrown }));
  }

  #failed(payload: unknown, failure: GatewayMethodFailure | undefined): Outcome {
    const { method, pluginId } = this.#registration;
    const error = methodFailure({ method, pluginId }, payload, failure);
    return error === undefined ? { type: "thrown", thrown: failure } : { type: "error", error };
  }

  #payloadOf(outcome: Outcome): unknown {
    if (outcome.type === "error") throw outcome.error;
    if (outcome.type === "thrown") throw this.#logged(outcome.thrown);
    if (outcome.payload === undefined) return null;
    let text: string | undefined;
    try {
      text = JSON.stringify(outcome.payload);
    } catch (error) {
      throw this.#logged(error);
    }
    if (text === undefined) throw this.#logged(new TypeError("the payload is not a JSON value"));
    return parseWellFormed(text);
  }

  /** Logs a failure of the plugin; the caller receives only its ID (GW-021). */
  #logged(thrown: unknown): Error {
    const { pluginId, method } = this.#registration;
    const { logger } = this.#dependencies;
    return internalError(thrown, {
      ...logger,
      error: (message, fields) => logger.error(message, { ...fields, pluginId, method }),
    });
  }

  /** A reloaded plugin completes its calls; one that is not loaded any more has 5 seconds. */
  #endWithPlugin(): void {
    const { pluginId } = this.#registration;
    const { plugins } = this.#dependencies.plugins.current;
    const isLoaded = plugins.some(({ id, status }) => id === pluginId && status === "loaded");
    if (!isLoaded) this.#after(UNLOADED_MS, () => this.#aborted("the plugin was unloaded"));
  }

  #after(ms: number, error: () => Error): void {
    const timer = this.#timers.setTimeout(() => {
      this.#settle({ type: "error", error: error() });
      this.#ending.abort();
    }, ms);
    this.#running.add(timer);
  }

  #aborted(reason?: string): PluginMethodAbortedError {
    const { method, pluginId, ended } = this.#registration;
    const cause = ended.aborted
      ? "the plugin was unloaded"
      : "the caller disconnected or the gateway stops";
    return new PluginMethodAbortedError(method, pluginId, reason ?? cause);
  }
}
