import { didYouMean, nearestName } from "@openclaw/foundation";
import type { KeyPath } from "../layers/source.js";
import type { Shape, ValueSchema } from "./shape.js";

/** A difference between a value and its schema. */
export interface Misfit {
  readonly path: KeyPath;
  readonly kind: "missing-key" | "unknown-key" | "value";
  /** The schema at `path`; of an unknown key, that of the object that holds it. */
  readonly schema: ValueSchema;
  /** Message of the form "expected …, got …". */
  readonly message: string;
  /** Change that makes the value fit, where the schema names one. */
  readonly suggestion?: string | undefined;
}

type JsonObject = Readonly<Record<string, unknown>>;

const LONGEST_SHOWN = 80;

const TYPES: Readonly<
  Record<
    NonNullable<ValueSchema["type"]>,
    { readonly words: string; readonly fits: (value: unknown) => boolean }
  >
> = {
  array: { words: "a list", fits: Array.isArray },
  boolean: { words: "true or false", fits: (value) => typeof value === "boolean" },
  number: { words: "a number", fits: (value) => typeof value === "number" },
  object: { words: "an object", fits: isObject },
  string: { words: "text", fits: (value) => typeof value === "string" },
};

/**
 * Returns whether a value fits a schema.
 * @param value - any value, for example a parsed document
 * @param schema - as a literal type, from which the type of the value follows
 */
export function fits<const Schema extends ValueSchema>(
  value: unknown,
  schema: Schema,
): value is Shape<Schema> {
  return misfits(value, schema).length === 0;
}

/**
 * Returns every difference between a value and a schema, in the order of the document. Members that are
 * undefined count as absent.
 * @param value - any value, for example a parsed document
 * @param schema - schema of the value
 * @param path - steps from the root of the document to the value
 */
export function misfits(
  value: unknown,
  schema: ValueSchema,
  path: KeyPath = [],
): readonly Misfit[] {
  const { anyOf, type, items } = schema;
  if (anyOf !== undefined) {
    const options = anyOf.map((option) => misfits(value, option, path));
    if (options.some((found) => found.length === 0)) return [];
    // The option whose type is right has the more exact differences.
    const near = options.find((found) => found.every((misfit) => misfit.path !== path));
    return near ?? [misfitOf(value, schema, path, expectationOf(schema))];
  }
  if (type !== undefined && !TYPES[type].fits(value)) {
    return [misfitOf(value, schema, path, expectationOf(schema))];
  }
  if (typeof value === "string") return textMisfits(value, schema, path);
  if (Array.isArray(value) && items !== undefined) {
    return value.flatMap((item: unknown, index) => misfits(item, items, [...path, index]));
  }
  return isObject(value) ? memberMisfits(value, schema, path) : [];
}

function textMisfits(value: string, schema: ValueSchema, path: KeyPath): readonly Misfit[] {
  const { enum: choices, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (choices !== undefined && !choices.includes(value)) {
    return [misfitOf(value, schema, path, expectationOf(schema))];
  }
  if (value.length < minLength) return [misfitOf(value, schema, path, "text that is not empty")];
  if (value.length <= maxLength) return [];
  const message = `expected at most ${maxLength} characters, got ${value.length}`;
  return [{ ...misfitOf(value, schema, path, ""), message }];
}

function memberMisfits(value: JsonObject, schema: ValueSchema, path: KeyPath): readonly Misfit[] {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map(
      (name): Misfit => ({
        path: [...path, name],
        kind: "missing-key",
        schema,
        message: "missing",
      }),
    );
  const present = Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name];
    if (member === undefined) return [];
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own !== undefined) return misfits(member, own, at);
    if (additionalProperties === false) return [unknownKey(name, schema, at)];
    return additionalProperties === true ? [] : misfits(member, additionalProperties, at);
  });
  return [...missing, ...present];
}

function unknownKey(name: string, schema: ValueSchema, path: KeyPath): Misfit {
  const known = Object.keys(schema.properties ?? {});
  return {
    path,
    kind: "unknown-key",
    schema,
    message: `there is no key "${name}" here`,
    suggestion: didYouMean(nearestName(name, known)) ?? `use one of ${known.join(", ")}`,
  };
}

function misfitOf(value: unknown, schema: ValueSchema, path: KeyPath, expected: string): Misfit {
  const [example] = schema.examples ?? [];
  return {
    path,
    kind: "value",
    schema,
    message: `expected ${expected}, got ${shown(value)}`,
    suggestion: example === undefined ? undefined : `for example ${JSON.stringify(example)}`,
  };
}

function expectationOf({ anyOf, enum: choices, type }: ValueSchema): string {
  if (anyOf !== undefined) return anyOf.map(expectationOf).join(" or ");
  if (choices !== undefined) return `one of ${choices.join(", ")}`;
  return type === undefined ? "another value" : TYPES[type].words;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
