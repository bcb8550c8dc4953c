import { errorMessage } from "../error-message.js";
import { nearestName } from "../nearest-names.js";
import { quotedChoice, withSuggestion } from "../suggestion.js";
import { describeValue } from "../value-schema.js";
import { isSchema, type ObjectSchema, subSchemaKind } from "./sub-schemas.js";

/** First part of a JSON Schema that is not JSON Schema. */
export interface SchemaFault {
  /** JSON pointer from the root, for example `/properties/folder/type`; empty for the root. */
  readonly place: string;
  /** For example `expected "string" or "number", got string "strng"; did you mean "string"?`. */
  readonly problem: string;
}

type Rule = (value: unknown) => string | undefined;

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
// A boolean in drafts before 6.
const isBound = (value: unknown) => isNumber(value) || typeof value === "boolean";

/** Rules of the values of keywords; other keywords may have any value. */
const RULES: Readonly<Record<string, Rule>> = {
  type: typeProblem,
  required: expecting("a list of names", isNames),
  enum: expecting("a list with at least one value", (value) => isList(value) && value.length > 0),
  pattern: patternProblem,
  $ref: expecting("a reference such as #/$defs/name", (value) => typeof value === "string"),
  ...each(["minimum", "maximum"], expecting("a number", isNumber)),
  ...each(["exclusiveMinimum", "exclusiveMaximum"], expecting("a number", isBound)),
  multipleOf: expecting("a number above 0", (value) => isNumber(value) && Number(value) > 0),
  ...each(
    ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
    expecting("a whole number from 0", isCount),
  ),
};

/** Nesting at which a schema is no longer followed. */
const DEEPEST = 100;

/**
 * Finds the first part of a schema that is not JSON Schema: a type that does not exist, a keyword with a value of the
 * wrong kind, a pattern that is not a regular expression, a reference within the schema to nothing.
 * @param schema - value that is used as a JSON Schema
 * @returns the fault; undefined when there is none
 */
export function schemaFault(schema: unknown): SchemaFault | undefined {
  return faultIn(schema, { root: schema, place: "", depth: 0, above: [] });
}

interface Position {
  readonly root: unknown;
  readonly place: string;
  readonly depth: number;
  /** Schemas that contain it. */
  readonly above: readonly unknown[];
}

function faultIn(schema: unknown, position: Position): SchemaFault | undefined {
  if (typeof schema === "boolean" && position.depth > 0) return undefined;
  if (!isSchema(schema)) return fault(position, expected("a schema in an object", schema));
  if (position.above.includes(schema)) {
    return fault(position, "a schema that contains itself; use $ref for a repetition");
  }
  if (position.depth > DEEPEST) {
    return fault(position, `nested more than ${DEEPEST} levels deep; use $ref for a repetition`);
  }
  for (const [keyword, value] of Object.entries(schema)) {
    // JSON has no place for it, so it is as good as absent.
    if (value === undefined) continue;
    const at = { ...below(position, keyword), above: [...position.above, schema] };
    const problem =
      (Object.hasOwn(RULES, keyword) ? RULES[keyword]?.(value) : undefined) ??
      referenceProblem(keyword, value, position.root);
    if (problem !== undefined) return fault(at, problem);
    const found = faultBelow(keyword, value, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function faultBelow(keyword: string, value: unknown, at: Position): SchemaFault | undefined {
  const kind = subSchemaKind(keyword);
  if (kind === undefined) return undefined;
  if (kind === "named") {
    if (!isSchema(value))
      return fault(at, expected("an object with a schema for each name", value));
    return firstFault(Object.entries(value), keyword === "patternProperties", at);
  }
  if (isList(value) && (kind === "list" || keyword === "items")) {
    if (value.length === 0 && kind === "list") {
      return fault(at, "expected a list with at least one schema, got an empty list");
    }
    return firstFault(Object.entries(value), false, at);
  }
  return kind === "list" ? fault(at, expected("a list of schemas", value)) : faultIn(value, at);
}

function firstFault(
  entries: readonly (readonly [string, unknown])[],
  isByPattern: boolean,
  at: Position,
): SchemaFault | undefined {
  for (const [name, sub] of entries) {
    const inside = below(at, name);
    const problem = isByPattern ? patternProblem(name) : undefined;
    const found = problem === undefined ? faultIn(sub, inside) : fault(inside, problem);
    if (found !== undefined) return found;
  }
  return undefined;
}

function below({ place, depth, ...position }: Position, key: string): Position {
  const step = key.replaceAll("~", "~0").replaceAll("/", "~1");
  return { ...position, place: `${place}/${step}`, depth: depth + 1 };
}

function fault({ place }: Position, problem: string): SchemaFault {
  return { place, problem };
}

function typeProblem(value: unknown): string | undefined {
  const types = isList(value) ? value : [value];
  const wrong = types.find((type) => typeof type !== "string" || !TYPES.includes(type));
  if (types.length === 0) return expected(`${quotedChoice(TYPES)}, or a list of them`, value);
  if (wrong === undefined) return undefined;
  const nearest = typeof wrong === "string" ? nearestName(wrong, TYPES) : undefined;
  return withSuggestion(expected(quotedChoice(TYPES), wrong), nearest);
}

function patternProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return expected("a regular expression in a string", value);
  try {
    new RegExp(value, "u");
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Only references within the schema are followed; a name such as `#node` or a URL belongs to the validator. */
function referenceProblem(keyword: string, value: unknown, root: unknown): string | undefined {
  if (keyword !== "$ref" || typeof value !== "string" || !value.startsWith("#/")) return undefined;
  let found: unknown = root;
  for (const step of value.slice(2).split("/")) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isContainer(found) && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined;
  }
  return found === undefined ? `${value} is not in the schema` : undefined;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function expecting(what: string, accepts: (value: unknown) => boolean): Rule {
  return (value) => (accepts(value) ? undefined : expected(what, value));
}

function expected(what: string, value: unknown): string {
  return `expected ${what}, got ${describeValue(value)}`;
}

function each(keywords: readonly string[], rule: Rule): Record<string, Rule> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, rule]));
}

function isNames(value: unknown): boolean {
  return isList(value) && value.every((name) => typeof name === "string");
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isContainer(value: unknown): value is ObjectSchema | readonly unknown[] {
  return isSchema(value) || isList(value);
}
