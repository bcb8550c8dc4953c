import { parseWellFormed } from "@openclaw/foundation";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";

/**
 * Returns the parameters of a method from the query of a URL. Each value is read as the type in the schema: numbers and
 * booleans as JSON, a list from repeated names, an object from JSON text. A value that does not have its type stays a
 * string, which the check of the parameters then rejects.
 * @param schema - schema of the parameters; each option of a choice is an object
 */
export function readQuery(query: URLSearchParams, schema: TSchema): Record<string, unknown> {
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const schemas = properties.flatMap((each) => (Object.hasOwn(each, name) ? [each[name]] : []));
      return [name, readValues(query.getAll(name), schemas.filter(isDefined))];
    }),
  );
}

/**
 * Returns the properties of the parameters: those of the object, or of each object of a choice.
 * @param schema - schema of the parameters of a method
 */
export function propertiesOf(schema: TSchema): readonly Readonly<Record<string, TSchema>>[] {
  if ("anyOf" in schema && Array.isArray(schema.anyOf)) {
    return schema.anyOf.flatMap((option: TSchema) => propertiesOf(option));
  }
  return "properties" in schema ? [schema.properties as Record<string, TSchema>] : [];
}

function readValues(texts: readonly string[], schemas: readonly TSchema[]): unknown {
  for (const schema of schemas) {
    const candidates = isList(schema)
      ? [texts.map((text) => readText(text, itemsOf(schema)))]
      : texts.length === 1
        ? texts.flatMap((text) => [text, fromJson(text)])
        : [];
    const fitting = candidates.find((candidate) => Value.Check(schema, candidate));
    if (fitting !== undefined) return fitting;
  }
  return texts.length === 1 ? texts[0] : texts;
}

function readText(text: string, schema: TSchema): unknown {
  return [text, fromJson(text)].find((candidate) => Value.Check(schema, candidate)) ?? text;
}

function fromJson(text: string): unknown {
  try {
    return parseWellFormed(text);
  } catch {
    return undefined;
  }
}

function isList(schema: TSchema): schema is TSchema & { items: TSchema } {
  return "type" in schema && schema.type === "array" && "items" in schema;
}

function itemsOf({ items }: { readonly items: TSchema }): TSchema {
  return items;
}

function isDefined(schema: TSchema | undefined): schema is TSchema {
  return schema !== undefined;
}
