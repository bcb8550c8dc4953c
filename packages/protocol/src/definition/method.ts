import type { TSchema } from "typebox";
import type { MethodScope } from "./scope.js";

/** Method of the wire protocol: the single source of its checks, types and documentation. */
export interface MethodDefinition<
  Name extends string = string,
  Params extends TSchema = TSchema,
  Result extends TSchema = TSchema,
> {
  /** Family and method name, for example `sessions.delete`. */
  readonly name: Name;
  /** Effect of the method, as a sentence for the reference. */
  readonly summary: string;
  /** Schema of the parameters, an object without additional keys. */
  readonly params: Params;
  /** Schema of the result. Clients ignore unknown keys, so a newer gateway may add some. */
  readonly result: Result;
  /**
   * Codes of the failures that a caller can cause, in addition to `INVALID_REQUEST`. Failures of the host,
   * with an HTTP status from 500, are not listed.
   */
  readonly errors: readonly string[];
  /** Scope that the caller needs. */
  readonly scope: MethodScope;
  /**
   * `write` for a method that changes something: a caller over the wire must send an idempotency key, and a
   * repeat with the same key returns the first result (GW-022). `read` for a method without effect, which HTTP
   * also serves to `GET`.
   */
  readonly effect: "read" | "write";
  /**
   * `own` for a method that recognises repeats itself by the idempotency key of its call, for example with the row
   * that it writes; the results of other methods that write are kept by the server. `repeatable` for one whose second
   * execution has no further effect, so that a repeat may execute it again when the gateway stopped during the first.
   * `optional` for one whose callers may omit the key, and whose parameters the server passes on unchanged: a method of
   * a plugin.
   */
  readonly idempotency?: "own" | "repeatable" | "optional";
}

/**
 * Defines a method of the wire protocol.
 * @param definition - name, schemas, errors and scope
 * @returns the definition, with the types of its schemas
 */
export function defineMethod<
  const Name extends `${string}.${string}`,
  Params extends TSchema,
  Result extends TSchema,
>(definition: MethodDefinition<Name, Params, Result>): MethodDefinition<Name, Params, Result> {
  return definition;
}
