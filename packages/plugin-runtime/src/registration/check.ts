import { textOf } from "@openclaw/foundation";
import { PluginRegistrationError } from "../errors.js";
import type { RegistrationOrigin } from "./origin.js";

/** A call of a method of a plugin's `api`, for messages about its arguments. */
export interface ApiCall {
  readonly origin: RegistrationOrigin;
  /** The method, for example `registerTool`. */
  readonly member: string;
}

/** Rule that a name must satisfy. */
export interface NameRule {
  readonly pattern: RegExp;
  /** The rule in words, for example `1 to 64 of A-Z a-z 0-9 _ -`. */
  readonly expected: string;
}

/** IDs of providers that the configuration selects. */
export const PROVIDER_ID: NameRule = {
  pattern: /^[a-z0-9][a-z0-9._-]*$/,
  expected: "lower-case letters, digits and . _ -",
};

/**
 * Creates the error for an argument that cannot be registered.
 * @param call - the call of the `api`
 * @param argument - the wrong argument or field
 * @param problem - expected and actual value
 */
export function wrongArgument(
  { origin, member }: ApiCall,
  argument: string,
  problem: string,
): PluginRegistrationError {
  return new PluginRegistrationError(origin.pluginId, member, argument, problem);
}

/**
 * Rejects a value that is not an object.
 * @param argument - its name in messages
 * @param value - the argument
 * @throws PluginRegistrationError
 */
export function expectObject(call: ApiCall, argument: string, value: unknown): void {
  if (typeof value === "object" && value !== null) return;
  throw wrongArgument(call, argument, `expected an object, got ${describe(value)}`);
}

/**
 * Rejects a value that is not a function.
 * @param argument - its name in messages
 * @param value - the argument
 * @throws PluginRegistrationError
 */
export function expectFunction(call: ApiCall, argument: string, value: unknown): void {
  if (typeof value === "function") return;
  throw wrongArgument(call, argument, `expected a function, got ${describe(value)}`);
}

/**
 * Rejects a value that is neither undefined nor a function.
 * @param argument - its name in messages
 * @param value - the argument
 * @throws PluginRegistrationError
 */
export function expectOptionalFunction(call: ApiCall, argument: string, value: unknown): void {
  if (value !== undefined) expectFunction(call, argument, value);
}

/**
 * Rejects a value that is not a non-empty string.
 * @param argument - its name in messages
 * @param value - the argument
 * @throws PluginRegistrationError
 */
export function expectText(call: ApiCall, argument: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw wrongArgument(call, argument, `expected a non-empty string, got ${describe(value)}`);
}

/**
 * Rejects a value that is not a name of the required form.
 * @param argument - its name in messages
 * @param value - the argument
 * @param rule - the required form
 * @throws PluginRegistrationError
 */
export function expectName(
  call: ApiCall,
  argument: string,
  value: unknown,
  { pattern, expected }: NameRule,
): string {
  if (typeof value === "string" && pattern.test(value)) return value;
  throw wrongArgument(call, argument, `expected ${expected}, got ${describe(value)}`);
}

/**
 * Rejects a value that is not one of the given strings.
 * @param argument - its name in messages
 * @param value - the argument
 * @param words - the allowed strings
 * @throws PluginRegistrationError
 */
export function expectOneOf<const Word extends string>(
  call: ApiCall,
  argument: string,
  value: unknown,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const choice = words.map((word) => JSON.stringify(word)).join(" or ");
  throw wrongArgument(call, argument, `expected ${choice}, got ${describe(value)}`);
}

/**
 * Rejects a value that is neither undefined nor a list of strings.
 * @param argument - its name in messages
 * @param value - the argument
 * @returns a copy; empty when absent
 * @throws PluginRegistrationError
 */
export function expectTexts(call: ApiCall, argument: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return [...value];
  throw wrongArgument(call, argument, `expected a list of strings, got ${describe(value)}`);
}

/** Returns a short description of a wrong value, for a message. */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : textOf(value);
}
