import { ParameterError } from "@openclaw/plugin-sdk/errors";

type Parameters = Readonly<Record<string, unknown>>;

interface Options {
  required?: boolean;
  /** What the parameter is called in the error; its name when absent. */
  label?: string;
}

/**
 * Reads a text.
 * @param params - the arguments; a camelCase name is also found in snake_case
 * @param key - of the parameter
 * @param options - `trim` is true by default, `allowEmpty` false
 * @throws ParameterError when it is required and not there
 * @deprecated Use `readString`, which tells a wrong value from a missing one.
 */
export function readStringParam(
  params: Parameters,
  key: string,
  options: Options & { trim?: boolean; allowEmpty?: boolean } = {},
): string | undefined {
  const value = rawParam(params, key);
  const text = typeof value === "string" && options.trim !== false ? value.trim() : value;
  const usable = typeof text === "string" && (text !== "" || options.allowEmpty === true);
  return usable ? text : absent(key, "a text", value, options);
}

/**
 * Reads a number, also one that was sent as a text.
 * @param params - the arguments; a camelCase name is also found in snake_case
 * @param key - of the parameter
 * @param options - `integer` cuts off what stands behind the point
 * @throws ParameterError when it is required and not there
 * @deprecated Use `readNumber`, which tells a wrong value from a missing one.
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
 * Reads a list of texts, also a single one.
 * @param params - the arguments; a camelCase name is also found in snake_case
 * @param key - of the parameter
 * @param options - whether it must be there
 * @throws ParameterError when it is required and not there
 * @deprecated Use `readStringArray`, which tells a wrong value from a missing one.
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
  return usable.length > 0 ? usable : absent(key, "a list of texts", value, options);
}

/**
 * Reads a text or a number, as a text.
 * @param params - the arguments; a camelCase name is also found in snake_case
 * @param key - of the parameter
 * @param options - whether it must be there
 * @throws ParameterError when it is required and not there
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
 * Asks a table of switches.
 * @param actions - a switch that is absent has the default
 * @returns tells whether an action is on
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
