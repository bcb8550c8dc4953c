import { OpenClawError, systemClock, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { wireErrorSchema } from "@openclaw/protocol";
import {
  IdempotencyMismatchError,
  InvalidRequestError,
  MissingScopeError,
  wireErrorOf,
} from "@openclaw/protocol/registry";
import type { CallKey, Calls, StoredCall } from "@openclaw/store";
import { Value } from "typebox/value";
import { CallOutcomeUnknownError, KeptFailureError } from "../errors.js";

/** Call with an idempotency key. */
export interface KeyedCall {
  readonly callerId: string;
  readonly key: string;
  readonly method: string;
  /** SHA-256 of the parameters, in hex. */
  readonly digest: string;
  /** True for a method that may be executed again when the gateway stopped during the first call. */
  readonly isRepeatable?: boolean | undefined;
}

/** Dependencies of {@link IdempotentCalls}. */
export interface IdempotentCallsDependencies {
  /** Keeps the calls and their outcomes. */
  readonly calls: Calls;
  readonly logger: Logger;
  /** Times of the polls for the outcome of a call that another node executes. */
  readonly timers?: Timers | undefined;
}

interface Execution {
  readonly method: string;
  readonly digest: string;
  readonly outcome: Promise<unknown>;
}

/** Time between polls for the outcome of a call that another node executes. */
const POLL_MS = 250;

/** Kinds of failures after which the same call may succeed, so that a repeat is executed. */
const TRANSIENT: ReadonlySet<string> = new Set(["busy", "rate-limited", "timeout", "unavailable"]);

/**
 * Executes each call once, and returns its first outcome to repeats, also after a restart and on another node of the
 * database (GW-022). Kept are results,
 * and failures that a repeat would meet again. Not kept are failures before the method began (missing scope, invalid
 * parameters) and those that pass: busy, rate limited, timed out, unavailable.
 */
export class IdempotentCalls {
  readonly #dependencies: IdempotentCallsDependencies;
  readonly #executions = new Map<string, Execution>();

  /** @param dependencies - stored calls, and log */
  constructor(dependencies: IdempotentCallsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Executes a call, unless it is a repeat; a repeat of a call in progress waits for it, also while another
   * node executes it.
   * @param call - caller, key, method and digest of the parameters
   * @param execute - executes the call
   * @returns the result of the first call with this key
   * @throws IdempotencyMismatchError when the key was used with another method or other parameters
   * @throws CallOutcomeUnknownError when the first call was begun and its outcome is not known
   * @throws what the first call threw
   */
  once(call: KeyedCall, execute: () => Promise<unknown>): Promise<unknown> {
    const place = JSON.stringify([call.callerId, call.key]);
    const running = this.#executions.get(place);
    if (running !== undefined) {
      return isSame(call, running) ? running.outcome : Promise.reject(mismatch(call, running));
    }
    const outcome = this.#begin(call, execute).finally(() => this.#executions.delete(place));
    const { method, digest } = call;
    this.#executions.set(place, { method, digest, outcome });
    return outcome;
  }

  async #begin(call: KeyedCall, execute: () => Promise<unknown>): Promise<unknown> {
    const { callerId, key, method, digest } = call;
    const { calls } = this.#dependencies;
    const begin = { callerId, key, method, digest, isRepeatable: call.isRepeatable };
    for (;;) {
      const known = await calls.begin(begin);
      if (known === undefined) return await this.#execute(call, execute);
      if (!isSame(call, known)) throw mismatch(call, known);
      if (known.state !== "running") return keptOutcome(known);
      await this.#ended(call);
    }
  }

  /** Waits while another node executes a call. */
  async #ended(key: CallKey): Promise<void> {
    const { calls, timers = systemClock } = this.#dependencies;
    let known: StoredCall | undefined;
    do {
      await new Promise<void>((resolve) => timers.setTimeout(resolve, POLL_MS));
      known = await calls.get(key);
    } while (known?.state === "running");
  }

  async #execute(call: KeyedCall, execute: () => Promise<unknown>): Promise<unknown> {
    const { calls } = this.#dependencies;
    try {
      const result = await execute();
      await this.#record(call, () => calls.settle(call, "succeeded", jsonOf(result)));
      return result;
    } catch (error) {
      await this.#record(call, () =>
        isKept(error)
          ? calls.settle(call, "failed", jsonOf(wireErrorOf(error)))
          : calls.forget(call),
      );
      throw error;
    }
  }

  /** The call has happened, so its caller gets the outcome even if it cannot be stored. */
  async #record({ method, key }: KeyedCall, store: () => Promise<void>): Promise<void> {
    try {
      await store();
    } catch (error) {
      this.#dependencies.logger.error("the outcome of a call could not be stored", {
        method,
        key,
        error,
      });
    }
  }
}

function isSame(call: KeyedCall, known: Pick<StoredCall, "method" | "digest">): boolean {
  return call.method === known.method && call.digest === known.digest;
}

function mismatch({ key }: KeyedCall, { method }: Pick<StoredCall, "method">): Error {
  return new IdempotencyMismatchError(key, method);
}

function keptOutcome(known: Exclude<StoredCall, { state: "running" }>): unknown {
  switch (known.state) {
    case "succeeded":
      return known.outcome;
    case "failed":
      throw keptFailure(known.outcome, known.key);
    case "begun":
      throw new CallOutcomeUnknownError(known.key, known.method, "stopped");
    case "oversized":
    case "erased":
      throw new CallOutcomeUnknownError(known.key, known.method, known.state);
  }
}

/** @throws TypeError when another version stored the failure in a different form */
function keptFailure(outcome: JsonValue, key: string): KeptFailureError {
  const error: unknown = outcome;
  if (Value.Check(wireErrorSchema, error)) return new KeptFailureError(error);
  throw new TypeError(`the stored failure of the call with the key "${key}" has an unknown form`);
}

function isKept(error: unknown): error is OpenClawError {
  if (!OpenClawError.isInstance(error)) return false;
  const hasNotBegun = InvalidRequestError.isInstance(error) || MissingScopeError.isInstance(error);
  return !hasNotBegun && !TRANSIENT.has(error.kind);
}

/** Returns a value in its form on the wire. */
function jsonOf(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
}
