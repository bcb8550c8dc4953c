import type { Static, TObject } from "typebox";
import { Value } from "typebox/value";
import { GuardConfigInvalidError } from "../errors.js";
import { nearestName } from "./nearest-name.js";

/**
 * Returns the complete configuration of a guard: defaults are filled in, and every value is checked.
 * @param schema - schema of its configuration
 * @param given - `true` for the defaults, or an object
 * @throws GuardConfigInvalidError that names each wrong key
 */
export function settingsOf<Schema extends TObject>(
  guard: string,
  schema: Schema,
  given: unknown,
): Static<Schema> {
  if (given !== true && (typeof given !== "object" || given === null || Array.isArray(given))) {
    const problem = `expected true, false or an object, got ${kindOf(given)}`;
    throw new GuardConfigInvalidError(guard, [problem]);
  }
  const settings: unknown = Value.Default(schema, given === true ? {} : structuredClone(given));
  if (Value.Check(schema, settings)) return settings;
  throw new GuardConfigInvalidError(guard, problemsOf(schema, settings));
}

/** Part of an error of the schema library that a message is made of. */
interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

function problemsOf(schema: TObject, settings: unknown): string[] {
  const errors: readonly SchemaError[] = Value.Errors(schema, settings);
  const choices = errors.filter(({ keyword }) => keyword === "anyOf");
  const useful = errors.filter((error) => {
    const choice = choices.find(({ instancePath }) => instancePath === error.instancePath);
    return choice === undefined || isOfChosen(error, valueAt(settings, error.instancePath));
  });
  const told = useful.flatMap((error) => describe(schema, settings, error));
  const silent = choices.filter(({ instancePath }) =>
    useful.every((error) => !error.instancePath.startsWith(instancePath)),
  );
  return [
    ...new Set([
      ...told,
      ...silent.map(({ instancePath }) => {
        const found = kindOf(valueAt(settings, instancePath));
        return `${instancePath.slice(1).replaceAll("/", ".")} has the wrong form, got ${found}`;
      }),
    ]),
  ];
}

/** Returns true for an error of the alternative that a value was meant to be: an object, or one of the named values. */
function isOfChosen({ keyword }: SchemaError, value: unknown): boolean {
  if (typeof value === "object" && value !== null) return keyword === "additionalProperties";
  return keyword === "enum";
}

function describe(schema: TObject, settings: unknown, error: SchemaError): string[] {
  const { keyword, instancePath, message, params } = error;
  // The library reports a forbidden key twice; the entry that names the keys is the useful one.
  if (keyword === "boolean") return [];
  const place = instancePath.slice(1).replaceAll("/", ".");
  const within = place === "" ? "" : `${place}.`;
  if ("additionalProperties" in params && Array.isArray(params.additionalProperties)) {
    const known = keysOf(schema, instancePath);
    return params.additionalProperties.map((key: unknown) => {
      const near = nearestName(String(key), known);
      const hint =
        near === undefined ? `the keys are ${known.join(", ")}` : `did you mean ${near}?`;
      return `${within}${String(key)} is not a key of it; ${hint}`;
    });
  }
  const allowed = "allowedValues" in params ? params.allowedValues : undefined;
  const choices = Array.isArray(allowed) ? `: ${allowed.join(", ")}` : "";
  const found = kindOf(valueAt(settings, instancePath));
  return [`${place === "" ? "it" : place} ${message}${choices}, got ${found}`];
}

/** Returns the keys of the object at a path of a schema. */
function keysOf(schema: unknown, path: string): string[] {
  let part: unknown = schema;
  for (const key of path.split("/").slice(1)) {
    const { properties, items, additionalProperties } = fieldsOf(part);
    part = fieldsOf(properties)[key] ?? items ?? additionalProperties;
  }
  const { properties, anyOf } = fieldsOf(part);
  if (Array.isArray(anyOf))
    return anyOf.flatMap((each) => Object.keys(fieldsOf(fieldsOf(each).properties)));
  return Object.keys(fieldsOf(properties));
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of pointer.split("/").slice(1)) value = fieldsOf(value)[key];
  return value;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Describes a value; a string is shown only when it is short, because it may be a secret. */
function kindOf(value: unknown): string {
  if (typeof value === "string") return value.length <= 24 ? JSON.stringify(value) : "a string";
  if (typeof value === "number" || typeof value === "boolean" || value === null)
    return String(value);
  if (value === undefined) return "nothing";
  return Array.isArray(value) ? "a list" : "an object";
}
