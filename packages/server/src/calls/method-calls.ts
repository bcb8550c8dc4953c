import { createHash } from "node:crypto";
import { canonicalJson, isIdText, OpenClawError } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import {
  includesScope,
  type MethodCall,
  type MethodCaller,
  type MethodConnection,
  type MethodDefinition,
  type MethodScope,
  type WireError,
} from "@openclaw/protocol";
import { InvalidRequestError, type MethodRegistry, wireErrorOf } from "@openclaw/protocol/registry";
import { internalError } from "../http/internal-error.js";
import type { IdempotentCalls } from "./idempotent-calls.js";

const MAXIMUM_KEY_LENGTH = 128;

/** Call of a method from a client. */
export interface ClientCall {
  readonly method: string;
  /** Parsed JSON; may contain `idempotencyKey` in addition to the parameters. */
  readonly params: unknown;
  readonly caller: MethodCaller;
  readonly signal: AbortSignal;
  readonly connection?: MethodConnection | undefined;
  /** Idempotency key that the transport carries in addition to the parameters. */
  readonly idempotencyKey?: string | undefined;
}

/** Outcome of a call. */
export type CallOutcome =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly error: WireError; readonly status: OpenClawError };

/** Limits how many calls a caller makes. */
export interface CallLimits {
  /**
   * Counts a call.
   * @param caller - client that calls
   * @throws RateLimitedError when there are too many
   */
  count(caller: MethodCaller, method: string): void;
}

/** Methods by name. */
export type MethodSource = Pick<MethodRegistry, "dispatch" | "definition" | "definitions">;

/** Dependencies of {@link MethodCalls}. */
export interface MethodCallsDependencies {
  /** Returns the methods; loaded at the first call. */
  methods(): Promise<MethodSource>;
  readonly idempotency: Pick<IdempotentCalls, "once">;
  readonly limits: CallLimits;
  readonly logger: Logger;
}

/**
 * Executes the calls of clients. WebSocket and HTTP share this path: limits, scope, idempotency, check of the
 * parameters, implementation (GW-033).
 */
export class MethodCalls {
  readonly #dependencies: MethodCallsDependencies;

  /** @param dependencies - methods, idempotency, limits and log */
  constructor(dependencies: MethodCallsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Executes a call. Never throws; a failure is the outcome.
   * @param call - method, parameters and caller
   */
  async execute(call: ClientCall): Promise<CallOutcome> {
    try {
      return { ok: true, payload: await this.#run(call) };
    } catch (cause) {
      const error = this.#named(cause);
      return { ok: false, error: wireErrorOf(error), status: error };
    }
  }

  /**
   * Returns the names of the methods that a caller may call.
   * @param scopes - scopes of the caller
   */
  async names(scopes: readonly MethodScope[]): Promise<readonly string[]> {
    const { definitions } = await this.#dependencies.methods();
    return Object.values(definitions)
      .filter(({ scope }) => includesScope(scopes, scope))
      .map(({ name }) => name);
  }

  /**
   * Returns the definition of a method.
   * @param name - name from a client
   */
  async definition(name: string): Promise<MethodDefinition | undefined> {
    return (await this.#dependencies.methods()).definition(name);
  }

  /** Returns the definitions of all methods, by name. */
  async definitions(): Promise<Readonly<Record<string, MethodDefinition>>> {
    return (await this.#dependencies.methods()).definitions;
  }

  async #run(call: ClientCall): Promise<unknown> {
    const { methods, idempotency, limits } = this.#dependencies;
    const { method, caller, signal, connection } = call;
    limits.count(caller, method);
    const source = await methods();
    const definition = source.definition(method);
    if (definition?.effect !== "write") {
      return source.dispatch(method, call.params === undefined ? {} : call.params, {
        caller,
        signal,
        connection,
      });
    }
    const isOptional = definition.idempotency === "optional";
    const { params, idempotencyKey } = isOptional ? withOptionalKey(call) : withoutKey(call);
    const context: MethodCall = { caller, signal, connection, idempotencyKey };
    if (idempotencyKey === undefined) return source.dispatch(method, params, context);
    if (definition.idempotency === "own") return source.dispatch(method, params, context);
    const keyed = {
      callerId: caller.id,
      key: idempotencyKey,
      method,
      digest: digestOf(params),
      isRepeatable: definition.idempotency === "repeatable",
    };
    // An unexpected failure gets its ID here, so that a repeat names the same one.
    return idempotency.once(keyed, async () => {
      try {
        return await source.dispatch(method, params, context);
      } catch (error) {
        throw this.#named(error);
      }
    });
  }

  #named(error: unknown): OpenClawError {
    return OpenClawError.isInstance(error)
      ? error
      : internalError(error, this.#dependencies.logger);
  }
}

/** Reads an idempotency key, and keeps the parameters unchanged: one of them may have that name. */
function withOptionalKey({ params = {}, idempotencyKey }: ClientCall): {
  readonly params: unknown;
  readonly idempotencyKey: string | undefined;
} {
  const hasKey = typeof params === "object" && params !== null && "idempotencyKey" in params;
  const key = idempotencyKey ?? (hasKey ? params.idempotencyKey : undefined);
  return { params, idempotencyKey: isKey(key) ? key : undefined };
}

function isKey(key: unknown): key is string {
  if (typeof key !== "string" || key.length === 0) return false;
  return key.length <= MAXIMUM_KEY_LENGTH && isIdText(key);
}

/** Separates the idempotency key from the parameters, of which it is not one. */
function withoutKey({ method, params, idempotencyKey }: ClientCall): {
  readonly params: unknown;
  readonly idempotencyKey: string;
} {
  const isObject = typeof params === "object" && params !== null && !Array.isArray(params);
  const { idempotencyKey: given, ...rest } = isObject
    ? { idempotencyKey: undefined, ...params }
    : {};
  const key: unknown = given ?? idempotencyKey;
  if (isKey(key)) {
    return { params: isObject ? rest : params === undefined ? {} : params, idempotencyKey: key };
  }
  const message =
    key === undefined || key === ""
      ? "is required: send a new value for each call, and the same value to repeat one (over HTTP also as the header Idempotency-Key)"
      : `must be a string of 1 to ${MAXIMUM_KEY_LENGTH} characters, none of them a control character`;
  throw new InvalidRequestError(method, [{ path: "/idempotencyKey", message }]);
}

function digestOf(params: unknown): string {
  return createHash("sha256").update(canonicalJson(params)).digest("hex");
}
