import { textOf } from "@openclaw/foundation";
import { PluginRegistrationError } from "../errors.js";
import type { RegistrationOrigin } from "./origin.js";

/** A call of a method of a plugin's `api`, for messages about its arguments. */
export interface ApiCall {
  readonly origin: RegistrationOrigin;
  /** The method, for example `registerTool`. */
  readonly member: string;
}

/** What a name may look like. */
export interface NameRule {
  readonly pattern: RegExp;
  /** The same in words, for example `1 to 64 of A-Z a-z 0-9 _ -`. */
  readonly expected: string;
}

/**
 * The error for an argument that cannot be registered.
 * @param call - the call
 * @param argument - the argument or field that is wrong
 * @param problem - what was expected and found
 */
export function wrongArgument(
  { origin, member }: ApiCall,
  argument: string,
  problem: string,
): PluginRegistrationError {
  return new PluginRegistrationError(origin.pluginId, member, argument, problem);
}

/**
 * Refuses what is no object.
 * @param call - the call
 * @param argument - what it is called in a message
 * @param value - what was given
 * @throws PluginRegistrationError
 */
export function expectObject(call: ApiCall, argument: string, value: unknown): void {
  if (typeof value === "object" && value !== null) return;
  throw wrongArgument(call, argument, `expected an object, got ${describe(value)}`);
}

/**
 * Refuses what is no function.
 * @param call - the call
 * @param argument - what it is called in a message
 * @param value - what was given
 * @throws PluginRegistrationError
 */
export function expectFunction(call: ApiCall, argument: string, value: unknown): void {
  if (typeof value === "function") return;
  throw wrongArgument(call, argument, `expected a function, got ${describe(value)}`);
}

/**
 * Refuses what is neither absent nor a function.
 * @param call - the call
 * @param argument - what it is called in a message
 * @param value - what was given
 * @throws PluginRegistrationError
 */
export function expectOptionalFunction(call: ApiCall, argument: string, value: unknown): void {
  if (value !== undefined) expectFunction(call, argument, value);
}

/**
 * Refuses what is no text, or an empty one.
 * @param call - the call
 * @param argument - what it is called in a message
 * @param value - what was given
 * @throws PluginRegistrationError
 */
export function expectText(call: ApiCall, argument: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw wrongArgument(call, argument, `expected a text that is not empty, got ${describe(value)}`);
}

/**
 * Refuses what is no name of the right form.
 * @param call - the call
 * @param argument - what it is called in a message
 * @param value - what was given
 * @param rule - the form
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
 * Refuses what is none of a list of words.
 * @param call - the call
 * @param argument - what it is called in a message
 * @param value - what was given
 * @param words - the choice
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
 * Refuses what is neither absent nor a list of texts.
 * @param call - the call
 * @param argument - what it is called in a message
 * @param value - what was given
 * @returns a copy; empty when absent
 * @throws PluginRegistrationError
 */
export function expectTexts(call: ApiCall, argument: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return [...value];
  throw wrongArgument(call, argument, `expected a list of texts, got ${describe(value)}`);
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : textOf(value);
}
