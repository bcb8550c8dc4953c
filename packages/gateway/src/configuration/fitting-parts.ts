import type { OpenClawConfiguration } from "./schema.js";
import { type SchemaPath, schemaAt, valueAt } from "./schema-path.js";
import { fitsSchema, type SchemaProblem } from "./schema-problems.js";

/**
 * Returns the parts of a document that have the right shape, for checks beyond shape: these then report
 * the rest of what is wrong, and nothing twice.
 * @param value - value of the document
 * @param problems - all differences between the value and the schema
 * @returns a copy, empty if what is left still does not fit
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
    // Without one item the places of the others would be wrong.
    deleteAt(root, parentPath);
  } else if (kind === "value" && !isObject(parent[key]) && schemaAt(path)?.type === "object") {
    // A name keeps its definition, so that no reference to it is reported as unknown.
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
