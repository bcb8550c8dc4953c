import { configurationSchema } from "./schema.js";

/** Keys and indexes from the root of a document. */
export type SchemaPath = readonly string[];

/** Parts of a schema that messages use. */
interface SchemaNode {
  readonly type?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly patternProperties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
}

/**
 * Returns the schema at a path of the configuration.
 * @param path - keys and indexes from the root
 * @returns the schema; undefined for a path that the schema does not describe
 */
export function schemaAt(path: SchemaPath): SchemaNode | undefined {
  let schema: unknown = configurationSchema;
  for (const key of path) {
    if (!isSchemaNode(schema)) return undefined;
    const { properties, patternProperties, additionalProperties, items } = schema;
    const others = items ?? Object.values(patternProperties ?? {})[0] ?? additionalProperties;
    schema = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : others;
  }
  return isSchemaNode(schema) ? schema : undefined;
}

function isSchemaNode(schema: unknown): schema is SchemaNode {
  return typeof schema === "object" && schema !== null;
}

/**
 * Returns the value at a path; undefined if there is none.
 * @param root - value of the document
 * @param path - keys and indexes from the root
 */
export function valueAt(root: unknown, path: SchemaPath): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/**
 * Converts a JSON Pointer to a path.
 * @param pointer - JSON Pointer, for example `/tools/deny/0`
 */
export function parsePointer(pointer: string): SchemaPath {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
