/** Parses YAML; throws for text that is not YAML. */
export type ParseYaml = (text: string) => unknown;

const ENTRY = /^([A-Za-z_][\w-]*)[ \t]*:(?!\/\/)[ \t]*(.*)$/;
const ITEM = /^-(?:[ \t]+(.*))?$/;
const BLOCK_SCALAR = /^[|>][+-]?\d?[+-]?[ \t]*$/;
const DEEPEST = 8;

/**
 * Reads settings that are not quite YAML, as people write them: a value with a colon, a leading `@` or an open
 * quotation mark is the text that it shows. Each entry that is YAML on its own keeps its meaning.
 * @param text - settings, with `\n` as line end
 * @param parse - reads YAML
 * @returns undefined when the text has no entries
 */
export function parseLenientYaml(
  text: string,
  parse: ParseYaml,
): Readonly<Record<string, unknown>> | undefined {
  const lines = withoutIndent(text.replace(/\t/g, "  ").split("\n"));
  return readEntries(lines, parse, 0);
}

/**
 * Returns the value of an entry as it is written, on one line and without quotation marks around the whole.
 * @param text - settings, with `\n` as line end
 * @param key - key of an entry that is not in another one
 * @returns undefined when there is no such entry, or nothing in it
 */
export function writtenText(text: string, key: string): string | undefined {
  const lines = withoutIndent(text.replace(/\t/g, "  ").split("\n"));
  const entry = entriesOf(lines)?.find((one) => one.key === key);
  if (entry === undefined) return undefined;
  const written = [entry.first, ...entry.rest.map((line) => line.trim())].join(" ").trim();
  return written === "" ? undefined : unquoted(written);
}

function readEntries(
  lines: readonly string[],
  parse: ParseYaml,
  depth: number,
): Readonly<Record<string, unknown>> | undefined {
  const entries = entriesOf(lines);
  if (entries === undefined) return undefined;
  return Object.fromEntries(
    entries.map(({ key, first, rest }) => [key, readValue(first, rest, parse, depth)]),
  );
}

/** An entry with the text after its key, and the lines below. */
interface Entry {
  readonly key: string;
  readonly first: string;
  readonly rest: string[];
}

function entriesOf(lines: readonly string[]): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  for (const line of lines) {
    const [, key, first = ""] = ENTRY.exec(line) ?? [];
    if (key !== undefined) entries.push({ key, first: first.trim(), rest: [] });
    else if (entries.length > 0) entries.at(-1)?.rest.push(line);
    // Only comments and blank lines may precede the first entry.
    else if (!/^\s*(?:#|$)/.test(line)) return undefined;
  }
  return entries.length === 0 ? undefined : entries;
}

function readValue(
  first: string,
  rest: readonly string[],
  parse: ParseYaml,
  depth: number,
): unknown {
  try {
    const { value } = Object(parse([`value: ${first}`, ...rest].join("\n")));
    return value;
  } catch {
    // The text is taken as it is written.
  }
  const lines = withoutIndent(rest.filter((line) => line.trim() !== ""));
  if (BLOCK_SCALAR.test(first)) return lines.join(first.startsWith("|") ? "\n" : " ");
  if (first !== "" || depth === DEEPEST) return unquoted([first, ...lines].join(" ").trim());
  if (lines.every((line) => ITEM.test(line))) {
    return lines.map((line) => readValue(ITEM.exec(line)?.[1]?.trim() ?? "", [], parse, depth));
  }
  return readEntries(lines, parse, depth + 1) ?? unquoted(lines.join(" ").trim());
}

/** Removes the quotation marks around a whole text. */
function unquoted(text: string): string {
  return /^(["']).*\1$/s.exec(text) === null || text.length < 2 ? text : text.slice(1, -1);
}

function withoutIndent(lines: readonly string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(indent));
}
