import { isDeepStrictEqual } from "node:util";
import { httpStatusOf, OpenClawError } from "@openclaw/foundation";
import { Value } from "typebox/value";
import type { MethodDefinition } from "../definition/method.js";

/** Codes that every method can respond with. */
const OF_EVERY_METHOD: ReadonlySet<string> = new Set(["INVALID_REQUEST"]);

/**
 * Checks the result of a method against its definition, in its form on the wire.
 * @param definition - definition of the method
 * @param result - result of the implementation
 * @throws Error when the result does not match the schema, or has keys that the schema does not name
 */
export function checkResult({ name, result: schema }: MethodDefinition, result: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(result ?? null));
  const [error] = Value.Errors(schema, sent);
  if (error !== undefined) {
    throw new Error(`result of ${name}: ${error.instancePath} ${error.message}`);
  }
  const named = Value.Clean(schema, structuredClone(sent));
  if (!isDeepStrictEqual(named, sent)) {
    throw new Error(
      `result of ${name} has keys that its schema does not name: ` +
        `${JSON.stringify(sent)} instead of ${JSON.stringify(named)}`,
    );
  }
}

/**
 * Checks the failure of a method against its definition.
 * @param definition - definition of the method
 * @param failure - error of the implementation
 * @throws Error when a caller caused the failure, and the definition does not list its code
 */
export function checkFailure({ name, errors }: MethodDefinition, failure: unknown): void {
  if (!OpenClawError.isInstance(failure)) return;
  const { code } = failure;
  const isOfHost = httpStatusOf(failure) >= 500;
  if (isOfHost || OF_EVERY_METHOD.has(code) || errors.includes(code)) return;
  throw new Error(`${name} failed with ${code}, which its definition does not list`, {
    cause: failure,
  });
}
