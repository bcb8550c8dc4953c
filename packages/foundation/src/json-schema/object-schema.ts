import { defined } from "../defined.js";
import { isSchema, type ObjectSchema } from "./sub-schemas.js";

/**
 * Returns the schema of an object without keywords that providers reject in addition to its properties: a union of objects
 * becomes one object with the properties of all, of which those are required that each alternative requires. The host
 * checks calls with the schema of the tool.
 * @param schema - schema of the arguments of a tool
 */
export function plainObjectSchema(schema: ObjectSchema): ObjectSchema {
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
    properties: Object.fromEntries(
      [...properties].map(([name, found]) => [
        name,
        found instanceof Alternatives ? found.schema() : found,
      ]),
    ),
    ...defined({ required: required.size === 0 ? undefined : [...required] }),
  };
}

/** Keywords that describe a value to people and do not restrict it. */
const ANNOTATIONS = new Set(["$schema", "$id", "title", "description", "$comment"]);

/** Cache of completed schemas, so that every turn uses the same object, compiled once. */
const completed = new WeakMap<object, ObjectSchema>();

/**
 * Returns parameters as the schema of one object. Models are offered objects, and plugins of older versions leave out
 * the type, describe the parameters of each action in a union of objects, or write `{}` for a tool without parameters;
 * the union stays in the schema and decides which arguments are valid (PLUG-115).
 * @param schema - JSON Schema of a tool's parameters
 * @returns the schema itself when it has a type, or describes neither an object nor a union of objects
 */
export function asObjectSchema(schema: ObjectSchema): ObjectSchema {
  if (schema.type !== undefined || !(describesObject(schema) || saysNothing(schema))) return schema;
  const known = completed.get(schema);
  if (known !== undefined) return known;
  const { properties, required } = plainObjectSchema(schema);
  const made: ObjectSchema = {
    ...schema,
    type: "object",
    properties: properties ?? {},
    ...defined({ required }),
  };
  completed.set(schema, made);
  return made;
}

/** Returns true for a schema that accepts every value. */
function saysNothing(schema: ObjectSchema): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword));
}

/** Returns true for a schema with properties, alone or in each alternative of a union. */
function describesObject({ type, properties, anyOf, oneOf }: ObjectSchema): boolean {
  if (type !== undefined && type !== "object") return false;
  if (isSchema(properties)) return true;
  const union = anyOf ?? oneOf;
  return (
    Array.isArray(union) &&
    union.length > 0 &&
    union.every((branch) => isSchema(branch) && describesObject(branch))
  );
}

function branches(value: unknown): ObjectSchema[] {
  return Array.isArray(value) ? value.filter(isSchema).map(plainObjectSchema) : [];
}

function propertiesOf({ properties }: ObjectSchema): readonly (readonly [string, unknown])[] {
  return isSchema(properties) ? Object.entries(properties) : [];
}

function requiredOf({ required }: ObjectSchema): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}

/** Adds properties; one that has several schemas accepts what any of them accepts. */
function addProperties(found: Map<string, unknown>, branch: ObjectSchema): void {
  for (const [name, schema] of propertiesOf(branch)) {
    const known = found.get(name);
    const alternatives = known instanceof Alternatives ? known.schemas : [known];
    if (known === undefined) found.set(name, schema);
    else if (!alternatives.some((each) => JSON.stringify(each) === JSON.stringify(schema))) {
      found.set(name, new Alternatives([...alternatives, schema]));
    }
  }
}

/** Schemas of one property in several objects, as opposed to a union of the tool. */
class Alternatives {
  readonly #schemas: readonly unknown[];

  constructor(schemas: readonly unknown[]) {
    this.#schemas = schemas;
  }

  get schemas(): readonly unknown[] {
    return this.#schemas;
  }

  /** The constants of a discriminator become one list, which models follow better than a union. */
  schema(): ObjectSchema {
    const constants = this.#schemas.flatMap((each) =>
      isSchema(each) && "const" in each ? [{ value: each.const, type: each.type }] : [],
    );
    const [first] = constants;
    const areAlike =
      constants.length === this.#schemas.length &&
      first?.type !== undefined &&
      constants.every(({ type }) => type === first.type);
    return areAlike
      ? { type: first.type, enum: constants.map(({ value }) => value) }
      : { anyOf: this.#schemas };
  }
}
