import type { OpenClawConfiguration } from "./schema.js";
import { type SchemaPath, schemaAt, valueAt } from "./schema-path.js";
import { fitsSchema, type SchemaProblem } from "./schema-problems.js";

/**
 * Returns the parts of a document that match the schema, so that checks beyond the schema can report further
 * problems, and none twice.
 * @param value - value of the document
 * @param problems - all differences between the value and the schema
 * @returns a copy; empty if the remaining parts still do not match
 */
export function fittingParts(
  value: unknown,
  problems: readonly SchemaProblem[],
): OpenClawConfiguration {
  if (problems.length === 0 && fitsSchema(value)) return value;
  const copy: unknown = structuredClone(value);
  for (const problem of problems) leaveOut(copy, problem);
  return fitsSchema(copy) ? copy : {};
}

function leaveOut(root: unknown, { path, kind }: SchemaProblem): void {
  const key = path.at(-1);
  const parentPath = path.slice(0, -1);
  const parent = valueAt(root, parentPath);
  if (key === undefined || !isObject(parent)) return;
  if (Array.isArray(parent)) {
    // Removing a single item would shift the locations of the others.
    deleteAt(root, parentPath);
  } else if (kind === "value" && !isObject(parent[key]) && schemaAt(path)?.type === "object") {
    // Keep the name defined, so that no reference to it is reported as unknown.
    Object.defineProperty(parent, key, { value: {}, enumerable: true, configurable: true });
  } else {
    delete parent[key];
  }
}

function deleteAt(root: unknown, path: SchemaPath): void {
  const parent = valueAt(root, path.slice(0, -1));
  if (isObject(parent)) delete parent[path.at(-1) ?? ""];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
