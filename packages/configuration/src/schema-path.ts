import { nearestName } from "@openclaw/foundation";
import { configurationSchema } from "./schema.js";

/** Keys and indexes from the root of a document. */
export type SchemaPath = readonly string[];

/** Parts of a schema that messages use. */
interface SchemaNode {
  readonly type?: unknown;
  readonly default?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly minLength?: unknown;
  readonly pattern?: unknown;
  readonly description?: string;
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

/**
 * Splits a dotted key; a part in brackets and quotes may contain dots, for example
 * `plugins.entries["a.b"].enabled` or `bindings[0]`.
 * @param key - key as an operator writes it
 * @returns undefined when it is not a key
 */
export function splitKey(key: string): readonly [string, ...string[]] | undefined {
  const parts: string[] = [];
  const pattern = /(?:^|\.)([^.[\]"']+)|\[(?:"([^"]*)"|'([^']*)'|(\d+))\]/y;
  while (pattern.lastIndex < key.length) {
    const [, name, double, single, index] = pattern.exec(key) ?? [];
    const part = name ?? double ?? single ?? index;
    if (part === undefined || part === "") return undefined;
    parts.push(part);
  }
  const [first, ...rest] = parts;
  return first === undefined ? undefined : [first, ...rest];
}

/**
 * Checks that the schema has a key.
 * @param path - keys and indexes from the root
 * @returns the nearest known key for an unknown one, empty without a near one; undefined for a known key
 */
export function unknownKey(path: SchemaPath): { readonly nearest: string | undefined } | undefined {
  for (let length = 1; length <= path.length; length++) {
    const node = schemaAt(path.slice(0, length));
    if (node !== undefined) continue;
    const parent = schemaAt(path.slice(0, length - 1));
    // An open object, such as the configuration of a plugin or the section of a channel, has any key.
    const isObject = parent?.type === "object" || parent?.properties !== undefined;
    if (isObject && parent?.additionalProperties !== false) return undefined;
    const known = Object.keys(parent?.properties ?? {});
    const near = nearestName(path[length - 1] ?? "", known);
    const before = path.slice(0, length - 1);
    return { nearest: near === undefined ? undefined : [...before, near].join(".") };
  }
  return undefined;
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
