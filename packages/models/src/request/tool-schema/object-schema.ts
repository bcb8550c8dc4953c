import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import { isSchema } from "./sub-schemas.js";

/**
 * Returns the schema of an object without keywords that providers reject in addition to its properties: a union of objects
 * becomes one object with the properties of all, of which those are required that each alternative requires. The host
 * checks calls with the schema of the tool.
 * @param schema - schema of the arguments of a tool
 */
export function plainObjectSchema(schema: JsonSchema): JsonSchema {
  const { anyOf, oneOf, allOf, enum: _values, not: _not, ...own } = schema;
  const all = branches(allOf);
  const unions = [branches(anyOf), branches(oneOf)].filter(({ length }) => length > 0);
  if (all.length === 0 && unions.length === 0) return own;
  const properties = new Map<string, unknown>();
  const required = new Set(requiredOf(own));
  for (const branch of [...all, ...unions.flat()]) addProperties(properties, branch);
  // A property of the object itself applies to each alternative, which can only narrow it.
  for (const [name, schema] of propertiesOf(own)) properties.set(name, schema);
  for (const branch of all) for (const name of requiredOf(branch)) required.add(name);
  for (const union of unions) {
    const [first = [], ...others] = union.map(requiredOf);
    for (const name of first) {
      if (others.every((names) => names.includes(name))) required.add(name);
    }
  }
  return {
    ...own,
    properties: Object.fromEntries(properties),
    ...(required.size === 0 ? {} : { required: [...required] }),
  };
}

function branches(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema).map(plainObjectSchema) : [];
}

function propertiesOf({ properties }: JsonSchema): readonly (readonly [string, unknown])[] {
  return isSchema(properties) ? Object.entries(properties) : [];
}

function requiredOf({ required }: JsonSchema): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}

/** Adds properties; one that has several schemas accepts what any of them accepts. */
function addProperties(found: Map<string, unknown>, branch: JsonSchema): void {
  for (const [name, schema] of propertiesOf(branch)) {
    const known = found.get(name);
    const alternatives = known instanceof Alternatives ? known.anyOf : [known];
    if (known === undefined) found.set(name, schema);
    else if (!alternatives.some((each) => JSON.stringify(each) === JSON.stringify(schema))) {
      found.set(name, new Alternatives([...alternatives, schema]));
    }
  }
}

/** Union that the merge made, as opposed to one of the tool. */
class Alternatives {
  readonly [keyword: string]: unknown;
  readonly anyOf: readonly unknown[];

  constructor(anyOf: readonly unknown[]) {
    this.anyOf = anyOf;
  }
}
