import fc from "fast-check";

/** JSON Schema, as plain data. */
export type PlainSchema = Readonly<Record<string, unknown>>;

/**
 * Returns an arbitrary of the values that a schema accepts. It knows the keywords of the schemas of methods.
 * @param schema - schema without references
 * @param known - values for properties of a name, which are used half of the time
 */
export function schemaArbitrary(
  schema: PlainSchema,
  known: Readonly<Record<string, readonly unknown[]>> = {},
): fc.Arbitrary<unknown> {
  const { type, anyOf, enum: words, items, minItems, maxItems, additionalProperties } = schema;
  const inner = (value: unknown) => schemaArbitrary(value as PlainSchema, known);
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(words)) return fc.constantFrom(...words);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(inner));
  switch (type) {
    case "string":
      return stringArbitrary(schema);
    case "integer": {
      const least = Number(schema.minimum ?? -1000);
      const most = Number(schema.maximum ?? Math.max(1000, least + 1000));
      return fc.integer({ min: least, max: Math.min(most, 2 ** 31 - 1) });
    }
    case "number":
      return fc.double({
        noNaN: true,
        min: Number(schema.minimum ?? -1000),
        max: Number(schema.maximum ?? 1000),
      });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(inner(items ?? {}), {
        minLength: Number(minItems ?? 0),
        maxLength: Math.min(Number(maxItems ?? 3), 3),
      });
    case "object":
      return objectArbitrary(schema, known, additionalProperties === false);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function stringArbitrary({ pattern, minLength, maxLength }: PlainSchema): fc.Arbitrary<string> {
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern));
  const minimum = Number(minLength ?? 0);
  return fc.string({
    unit: "grapheme",
    minLength: minimum,
    maxLength: Math.max(minimum, Math.min(Number(maxLength ?? 20), 20)),
  });
}

function objectArbitrary(
  schema: PlainSchema,
  known: Readonly<Record<string, readonly unknown[]>>,
  isClosed: boolean,
): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, PlainSchema>);
  if (properties.length === 0 && !isClosed) {
    return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 1 }), {
      maxKeys: 3,
    });
  }
  const arbitraries = properties.map(([name, each]) => {
    const generated = schemaArbitrary(each, known);
    const values = known[name];
    return [
      name,
      values === undefined ? generated : fc.oneof(generated, fc.constantFrom(...values)),
    ] as const;
  });
  const requiredKeys = Array.isArray(schema.required) ? schema.required : [];
  return fc.record(Object.fromEntries(arbitraries), { requiredKeys, noNullPrototype: true });
}
