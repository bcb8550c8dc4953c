import { ParameterError } from "@openclaw/plugin-sdk/errors";

type Parameters = Readonly<Record<string, unknown>>;

interface Options {
  required?: boolean;
  /** Name of the parameter in the error message; by default its key. */
  label?: string;
}

/**
 * Reads a string.
 * @param params - arguments; a camelCase name also matches its snake_case form
 * @param key - name of the parameter
 * @param options - `trim` is true by default, `allowEmpty` false
 * @throws ParameterError when the parameter is required and missing
 * @deprecated Use `readString`, which distinguishes a wrong value from a missing one.
 */
export function readStringParam(
  params: Parameters,
  key: string,
  options: Options & { trim?: boolean; allowEmpty?: boolean } = {},
): string | undefined {
  const value = rawParam(params, key);
  const text = typeof value === "string" && options.trim !== false ? value.trim() : value;
  const usable = typeof text === "string" && (text !== "" || options.allowEmpty === true);
  return usable ? text : absent(key, "a string", value, options);
}

/**
 * Reads a number, also from a string.
 * @param params - arguments; a camelCase name also matches its snake_case form
 * @param key - name of the parameter
 * @param options - `integer` drops the fraction
 * @throws ParameterError when the parameter is required and missing
 * @deprecated Use `readNumber`, which distinguishes a wrong value from a missing one.
 */
export function readNumberParam(
  params: Parameters,
  key: string,
  options: Options & { integer?: boolean } = {},
): number | undefined {
  const value = rawParam(params, key);
  const given = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof given !== "number" || !Number.isFinite(given)) {
    return absent(key, "a number", value, options);
  }
  return options.integer === true ? Math.trunc(given) : given;
}

/**
 * Reads a list of strings, also from a single string.
 * @param params - arguments; a camelCase name also matches its snake_case form
 * @param key - name of the parameter
 * @param options - `required`, and the name for the error message
 * @throws ParameterError when the parameter is required and missing
 * @deprecated Use `readStringArray`, which distinguishes a wrong value from a missing one.
 */
export function readStringArrayParam(
  params: Parameters,
  key: string,
  options: Options = {},
): string[] | undefined {
  const value = rawParam(params, key);
  const given: unknown[] = Array.isArray(value) ? value : [value];
  const texts = given.filter((item) => typeof item === "string").map((text) => text.trim());
  const usable = texts.filter((text) => text !== "");
  return usable.length > 0 ? usable : absent(key, "a list of strings", value, options);
}

/**
 * Reads a string or a number as a string.
 * @param params - arguments; a camelCase name also matches its snake_case form
 * @param key - name of the parameter
 * @param options - `required`, and the name for the error message
 * @throws ParameterError when the parameter is required and missing
 * @deprecated Use `readString`.
 */
export function readStringOrNumberParam(
  params: Parameters,
  key: string,
  options: Options = {},
): string | undefined {
  const value = rawParam(params, key);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return readStringParam(params, key, options);
}

/**
 * Creates a function that reads action switches.
 * @param actions - switches by action name; a missing one has the default
 * @returns function that returns true when an action is enabled
 * @deprecated Read the configuration directly.
 */
export function createActionGate<
  Actions extends { readonly [action: string]: boolean | undefined },
>(actions: Actions | undefined): (action: keyof Actions, byDefault?: boolean) => boolean {
  return (action, byDefault = true) => actions?.[action] ?? byDefault;
}

function rawParam(params: Parameters, key: string): unknown {
  const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const name = [key, snake].find((candidate) => Object.hasOwn(params, candidate));
  return name === undefined ? undefined : params[name];
}

function absent(key: string, expected: string, value: unknown, options: Options): undefined {
  if (options.required === true) throw new ParameterError(options.label ?? key, expected, value);
  return undefined;
}
