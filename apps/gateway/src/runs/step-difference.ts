/** Maximum number of characters shown of a value. */
const WIDTH = 90;
const MOST_LINES = 20;

/** One line of a difference. */
export interface DifferenceLine {
  readonly sign: "-" | "+";
  readonly text: string;
}

/**
 * Lists the differences between two steps, field by field. Of a long string only the part around its first
 * difference is shown.
 * @param expected - expected step as plain data; undefined when there was none
 * @param got - actual step as plain data; undefined when there is none
 */
export function stepDifference(expected: unknown, got: unknown): readonly DifferenceLine[] {
  return [...differences("", expected, got)].slice(0, MOST_LINES);
}

function* differences(path: string, expected: unknown, got: unknown): Generator<DifferenceLine> {
  if (isRecord(expected) && isRecord(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const inside = path === "" ? key : `${path}.${key}`;
      yield* differences(inside, own(expected, key), own(got, key));
    }
    return;
  }
  const before = textOf(expected);
  const after = textOf(got);
  if (before === after) return;
  const start = firstDifference(before ?? "", after ?? "");
  if (before !== undefined) yield { sign: "-", text: line("-", path, before, start) };
  if (after !== undefined) yield { sign: "+", text: line("+", path, after, start) };
}

function line(sign: string, path: string, text: string, start: number): string {
  const name = path === "" ? "" : `${path}: `;
  const room = WIDTH - name.length - 2;
  const from = text.length <= room ? 0 : Math.max(0, start - 20);
  const part = text.slice(from, from + room - 2);
  const shown = `${from > 0 ? "…" : ""}${part}${from + part.length < text.length ? "…" : ""}`;
  return `${sign} ${name}${shown}`;
}

function firstDifference(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index += 1;
  return index;
}

/** Returns the value as a single line of JSON. */
function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
