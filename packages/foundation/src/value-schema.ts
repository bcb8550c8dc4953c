import { startOfText } from "./content/text-cut.js";
import { nearestName } from "./nearest-names.js";
import { didYouMean, quotedChoice } from "./suggestion.js";

/** Part of JSON Schema (2020-12) that {@link misfits} supports. */
export interface ValueSchema {
  readonly $schema?: string;
  readonly description?: string;
  readonly default?: unknown;
  /** Valid values; the first one is suggested for an invalid value. */
  readonly examples?: readonly unknown[];
  readonly type?: "array" | "boolean" | "number" | "object" | "string";
  readonly anyOf?: readonly ValueSchema[];
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Description of the pattern, as the end of "expected …". */
  readonly patternErrorMessage?: string;
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ValueSchema;
}

/** Keys and indexes from the root of a document to a value. */
type ValuePath = readonly (string | number)[];

/** Difference between a value and its schema. */
export interface Misfit {
  readonly path: ValuePath;
  readonly kind: "missing-key" | "unknown-key" | "value";
  /** Schema of the value at `path`; for an unknown key, that of the enclosing object. */
  readonly schema: ValueSchema;
  /** Description, for example `expected a list of strings, got number 7`. */
  readonly message: string;
  /** Change that makes the value valid, if the schema names one. */
  readonly suggestion?: string | undefined;
}

const LONGEST_SHOWN = 80;

const TYPES: Readonly<
  Record<
    NonNullable<ValueSchema["type"]>,
    {
      readonly one: string;
      readonly several: string;
      readonly fits: (value: unknown) => boolean;
    }
  >
> = {
  array: { one: "a list", several: "lists", fits: Array.isArray },
  boolean: {
    one: "true or false",
    several: "true or false",
    fits: (value) => typeof value === "boolean",
  },
  number: { one: "a number", several: "numbers", fits: (value) => typeof value === "number" },
  object: { one: "an object", several: "objects", fits: isObject },
  string: { one: "a string", several: "strings", fits: (value) => typeof value === "string" },
};

/**
 * Returns every difference between a value and a schema, in the order of the document. Members that are
 * undefined count as absent.
 * @param value - any value, for example a parsed document
 * @param schema - schema of the value
 */
export function misfits(value: unknown, schema: ValueSchema): readonly Misfit[] {
  const found: Misfit[] = [];
  collect(value, schema, [], found);
  return found;
}

/** Appends to one list, because each start of a host checks the manifest of every plugin. */
function collect(value: unknown, schema: ValueSchema, path: ValuePath, found: Misfit[]): void {
  const { anyOf, type, items, enum: choices } = schema;
  if (anyOf !== undefined) {
    collectOfChoice(value, schema, anyOf, path, found);
    return;
  }
  const isOfType = type === undefined || TYPES[type].fits(value);
  const isChoice = choices === undefined || choices.some((choice) => choice === value);
  if (!isOfType || !isChoice) {
    found.push(misfitOf(value, schema, path));
  } else if (typeof value === "string") {
    collectOfText(value, schema, path, found);
  } else if (Array.isArray(value)) {
    if (items === undefined) return;
    for (const [index, item] of value.entries()) collect(item, items, [...path, index], found);
  } else if (isObject(value)) {
    collectOfMembers(value, schema, path, found);
  }
}

function collectOfChoice(
  value: unknown,
  schema: ValueSchema,
  anyOf: readonly ValueSchema[],
  path: ValuePath,
  found: Misfit[],
): void {
  let near: readonly Misfit[] | undefined;
  for (const option of anyOf) {
    const differences: Misfit[] = [];
    collect(value, option, path, differences);
    if (differences.length === 0) return;
    // The option with the right type has the more precise differences.
    if (differences.every((misfit) => misfit.path !== path)) near ??= differences;
  }
  found.push(...(near ?? [misfitOf(value, schema, path)]));
}

function collectOfText(value: string, schema: ValueSchema, path: ValuePath, found: Misfit[]): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  if (pattern !== undefined && !expressionOf(pattern).test(value)) {
    found.push(misfitOf(value, schema, path));
  } else if (value.length < minLength) {
    found.push(misfitOf(value, schema, path, "a string that is not empty"));
  } else if (value.length > maxLength) {
    const message = `expected at most ${maxLength} characters, got ${value.length}`;
    found.push({ ...misfitOf(value, schema, path), message });
  }
}

const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern) ?? new RegExp(pattern, "u");
  expressions.set(pattern, known);
  return known;
}

function collectOfMembers(
  value: Readonly<Record<string, unknown>>,
  schema: ValueSchema,
  path: ValuePath,
  found: Misfit[],
): void {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  for (const name of required) {
    if (Object.hasOwn(value, name) && value[name] !== undefined) continue;
    const member = properties[name] ?? {};
    found.push({ ...misfitOf(undefined, member, [...path, name]), kind: "missing-key" });
  }
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own !== undefined) collect(member, own, [...path, name], found);
    else if (additionalProperties === false) found.push(unknownKey(name, schema, [...path, name]));
    else if (additionalProperties !== true) {
      collect(member, additionalProperties, [...path, name], found);
    }
  }
}

function unknownKey(name: string, schema: ValueSchema, path: ValuePath): Misfit {
  const known = Object.keys(schema.properties ?? {});
  return {
    path,
    kind: "unknown-key",
    schema,
    message: `unknown key "${name}"`,
    suggestion: didYouMean(nearestName(name, known)) ?? `use one of ${known.join(", ")}`,
  };
}

function misfitOf(
  value: unknown,
  schema: ValueSchema,
  path: ValuePath,
  expected = expectation(schema),
): Misfit {
  const [example] = schema.examples ?? [];
  return {
    path,
    kind: "value",
    schema,
    message: `expected ${expected}, got ${describeValue(value)}`,
    suggestion: example === undefined ? undefined : `for example ${JSON.stringify(example)}`,
  };
}

function expectation(schema: ValueSchema): string {
  const { anyOf, enum: choices, type, patternErrorMessage, items, additionalProperties } = schema;
  if (patternErrorMessage !== undefined) return patternErrorMessage;
  if (anyOf !== undefined) return anyOf.map(expectation).join(" or ");
  if (choices !== undefined) return quotedChoice(choices);
  if (type === undefined) return "a different value";
  const item = type === "array" ? items : type === "object" ? additionalProperties : undefined;
  const { one } = TYPES[type];
  if (typeof item !== "object" || !isSpecific(item)) return one;
  return `${one} of ${expectations(item)}`;
}

/** Returns true for types worth naming; for objects within objects, only their keys matter. */
function isSpecific({ type, anyOf }: ValueSchema): boolean {
  return anyOf !== undefined || (type !== undefined && type !== "object");
}

function expectations({ anyOf, enum: choices, type, items }: ValueSchema): string {
  if (anyOf !== undefined) return anyOf.map(expectations).join(" or ");
  if (choices !== undefined) return quotedChoice(choices);
  if (type === undefined) return "values";
  const { several } = TYPES[type];
  return type === "array" && items !== undefined ? `${several} of ${expectations(items)}` : several;
}

/**
 * Describes a parsed value for messages; long values are shortened.
 * @param value - any value
 */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  // A value that does not come from a file may have any type.
  if (!["string", "number", "boolean"].includes(typeof value)) return `a ${typeof value}`;
  const shown = JSON.stringify(value);
  return `${typeof value} ${shown.length > LONGEST_SHOWN ? `${startOfText(shown, LONGEST_SHOWN)}…` : shown}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
