import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/** Cache of described unions, so that every turn uses the same object, compiled once. */
const described = new WeakMap<object, JsonSchema>();

/**
 * Returns parameters as the schema of one object. Models are offered objects, and plugins of older versions leave out
 * the type, or describe the parameters of each action in a union of objects; the union stays in the schema and decides
 * which arguments are valid (PLUG-115).
 * @param schema - JSON Schema of a tool's parameters
 * @returns the schema itself when it has a type, or describes neither an object nor a union of objects
 */
export function asObjectSchema(schema: JsonSchema): JsonSchema {
  if (schema.type !== undefined) return schema;
  const known = described.get(schema);
  if (known !== undefined) return known;
  const made: JsonSchema = { ...fieldsOf(schema), ...schema, type: "object" };
  if (!isRecord(made.properties)) return schema;
  described.set(schema, made);
  return made;
}

/** Returns every property of a union's objects, and as required those that each object requires. */
function fieldsOf({ anyOf, oneOf }: JsonSchema): Record<string, unknown> {
  const branches: unknown = anyOf ?? oneOf;
  if (!Array.isArray(branches) || branches.length === 0 || !branches.every(isObjectBranch)) {
    return {};
  }
  const properties = new Map<string, unknown[]>();
  for (const branch of branches) {
    for (const [name, property] of Object.entries(branch.properties)) {
      const known = properties.get(name) ?? [];
      const text = JSON.stringify(property);
      if (known.every((other) => JSON.stringify(other) !== text)) known.push(property);
      properties.set(name, known);
    }
  }
  return {
    properties: Object.fromEntries(
      [...properties].map(([name, forms]) => [name, forms.length === 1 ? forms[0] : either(forms)]),
    ),
    required: [...properties.keys()].filter((name) =>
      branches.every(({ required = [] }) => required.includes(name)),
    ),
  };
}

/** The constants of a discriminator become one list, which models follow better than a union. */
function either(forms: readonly unknown[]): object {
  const constants = forms.flatMap((form) =>
    isRecord(form) && "const" in form ? [{ value: form.const, type: form.type }] : [],
  );
  const types = new Set(constants.map(({ type }) => type));
  const [type] = types;
  if (constants.length < forms.length || types.size !== 1 || type === undefined) {
    return { anyOf: forms };
  }
  return { type, enum: constants.map(({ value }) => value) };
}

interface ObjectBranch {
  readonly properties: Record<string, unknown>;
  readonly required?: readonly unknown[];
}

function isObjectBranch(value: unknown): value is ObjectBranch {
  if (!isRecord(value) || (value.type !== undefined && value.type !== "object")) return false;
  return (
    isRecord(value.properties) && (value.required === undefined || Array.isArray(value.required))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
