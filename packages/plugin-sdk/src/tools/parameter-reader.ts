import { ParameterError } from "../errors.js";

/** Arguments of a call, or another record of unvalidated values. */
export type ParameterRecord = Readonly<Record<string, unknown>>;

/** Options of all readers. */
export interface ParameterOptions {
  /** True rejects an absent value. */
  required?: boolean;
}

/** Constraints of a string. */
export interface StringParameterOptions extends ParameterOptions {
  /** In UTF-16 code units. */
  minLength?: number;
  /** In UTF-16 code units. */
  maxLength?: number;
}

/** Constraints of a number. */
export interface NumberParameterOptions extends ParameterOptions {
  minimum?: number;
  maximum?: number;
  /** True accepts only integers. */
  integer?: boolean;
}

/** Constraints of a list of strings. */
export interface StringArrayParameterOptions extends ParameterOptions {
  minItems?: number;
  maxItems?: number;
}

/** Result of a reader: the value, or `undefined` for an absent optional value. */
export type ParameterValue<Value, Options> =
  | Value
  | (Options extends { required: true } ? never : undefined);

/**
 * Reads a string. As in all readers, `null` counts as absent, and values are not converted.
 * @param parameters - the arguments
 * @param name - name of the parameter
 * @param options - required flag and bounds
 * @throws ParameterError with the parameter, the expected and the actual value
 * @example
 * ```ts
 * import { readString } from "@openclaw/plugin-sdk/param-readers";
 *
 * export function greeting(parameters: Record<string, unknown>): string {
 *   return `Hello, ${readString(parameters, "name", { required: true, maxLength: 80 })}!`;
 * }
 * ```
 */
export function readString<const Options extends StringParameterOptions>(
  parameters: ParameterRecord,
  name: string,
  options?: Options,
): ParameterValue<string, Options> {
  const { minLength, maxLength } = { ...options };
  const value = read(parameters, name, "a string", isString, options);
  if (value !== undefined) checkSize(name, value.length, minLength, maxLength, "characters");
  return value;
}

/**
 * Reads a finite number.
 * @param parameters - the arguments
 * @param name - name of the parameter
 * @param options - required flag, bounds, and the restriction to integers
 * @throws ParameterError with the parameter, the expected and the actual value
 */
export function readNumber<const Options extends NumberParameterOptions>(
  parameters: ParameterRecord,
  name: string,
  options?: Options,
): ParameterValue<number, Options> {
  const { minimum = -Infinity, maximum = Infinity, integer = false } = { ...options };
  const expected = integer ? "a whole number" : "a number";
  const value = read(parameters, name, expected, integer ? isInteger : isFiniteNumber, options);
  if (value === undefined) return value;
  if (value < minimum) throw new ParameterError(name, `${expected} of at least ${minimum}`, value);
  if (value > maximum) throw new ParameterError(name, `${expected} of at most ${maximum}`, value);
  return value;
}

/**
 * Reads a boolean.
 * @param parameters - the arguments
 * @param name - name of the parameter
 * @param options - required flag
 * @throws ParameterError with the parameter, the expected and the actual value
 */
export function readBoolean<const Options extends ParameterOptions>(
  parameters: ParameterRecord,
  name: string,
  options?: Options,
): ParameterValue<boolean, Options> {
  return read(parameters, name, "true or false", isBoolean, options);
}

/**
 * Reads a list of strings.
 * @param parameters - the arguments
 * @param name - name of the parameter
 * @param options - required flag and bounds
 * @throws ParameterError with the parameter, the expected and the actual value
 */
export function readStringArray<const Options extends StringArrayParameterOptions>(
  parameters: ParameterRecord,
  name: string,
  options?: Options,
): ParameterValue<string[], Options> {
  const { minItems, maxItems } = { ...options };
  const value = read(parameters, name, "a list of strings", isStrings, options);
  if (value !== undefined) checkSize(name, value.length, minItems, maxItems, "items");
  return value;
}

function read<Value, Options extends ParameterOptions>(
  parameters: ParameterRecord,
  name: string,
  expected: string,
  accepts: (value: unknown) => value is Value,
  options: Options | undefined,
): ParameterValue<Value, Options> {
  // A name given by a caller must not match an inherited property.
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value === undefined || value === null) {
    if (options?.required === true) throw new ParameterError(name, expected, value);
    // Here the options do not say `required: true`, which the compiler cannot follow.
    return undefined as ParameterValue<Value, Options>;
  }
  if (!accepts(value)) throw new ParameterError(name, expected, value);
  return value;
}

function checkSize(
  name: string,
  size: number,
  least: number | undefined = 0,
  most: number | undefined = Infinity,
  unit: string,
): void {
  if (size >= least && size <= most) return;
  const expected = size < least ? `at least ${least} ${unit}` : `at most ${most} ${unit}`;
  throw new ParameterError(name, expected, size);
}

const isString = (value: unknown) => typeof value === "string";
const isBoolean = (value: unknown) => typeof value === "boolean";
const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(isString);
