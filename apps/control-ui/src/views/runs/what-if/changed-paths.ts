/** Place at which two contents differ. */
export interface ChangedPath {
  /** JSON Pointer, empty for the whole. */
  readonly path: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Places of one step that are shown. */
const MOST = 20;
/** Characters of a value that are shown. */
const LONGEST = 400;

/**
 * Returns the places at which two values of JSON differ.
 * @param before - value; undefined when there is none
 * @param after - value; undefined when there is none
 */
export function changedPaths(before: unknown, after: unknown): readonly ChangedPath[] {
  const found: ChangedPath[] = [];
  collect(before, after, "", found);
  return found.slice(0, MOST);
}

function collect(before: unknown, after: unknown, path: string, found: ChangedPath[]): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const isBranch = isObject(before) && isObject(after);
  if (!isBranch || Array.isArray(before) !== Array.isArray(after)) {
    found.push({ path, before: shown(before), after: shown(after) });
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const escaped = key.replaceAll("~", "~0").replaceAll("/", "~1");
    collect(Reflect.get(before, key), Reflect.get(after, key), `${path}/${escaped}`, found);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
