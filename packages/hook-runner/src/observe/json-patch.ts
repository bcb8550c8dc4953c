/** One operation of a JSON Patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/** Below this depth values are replaced completely; cyclic data would otherwise never end. */
const MAX_DEPTH = 32;

/**
 * Returns the operations that turn `before` into `after`. Fields that are `undefined` count as
 * absent.
 */
export function jsonPatch(before: unknown, after: unknown): readonly JsonPatchOperation[] {
  return [...operations("", before, after, 0)];
}

function* operations(
  path: string,
  before: unknown,
  after: unknown,
  depth: number,
): Generator<JsonPatchOperation> {
  if (Object.is(before, after)) return;
  if (after === undefined) {
    yield { op: "remove", path };
  } else if (before === undefined) {
    yield { op: "add", path, value: after };
  } else if (depth < MAX_DEPTH && Array.isArray(before) && Array.isArray(after)) {
    yield* arrayOperations(path, before, after, depth);
  } else if (depth < MAX_DEPTH && isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const inside = `${path}/${escapeKey(key)}`;
      yield* operations(inside, own(before, key), own(after, key), depth + 1);
    }
  } else {
    yield { op: "replace", path, value: after };
  }
}

function* arrayOperations(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  depth: number,
): Generator<JsonPatchOperation> {
  const common = Math.min(before.length, after.length);
  for (let index = 0; index < common; index += 1) {
    yield* operations(`${path}/${index}`, before[index] ?? null, after[index] ?? null, depth + 1);
  }
  for (const value of after.slice(common)) yield { op: "add", path: `${path}/-`, value };
  // From the end, so that each index is still valid when it is removed.
  for (let index = before.length - 1; index >= common; index -= 1) {
    yield { op: "remove", path: `${path}/${index}` };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Documents may have keys such as "__proto__", which every object inherits.
function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
