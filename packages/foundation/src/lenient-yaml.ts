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

function readEntries(
  lines: readonly string[],
  parse: ParseYaml,
  depth: number,
): Readonly<Record<string, unknown>> | undefined {
  const entries: { key: string; first: string; rest: string[] }[] = [];
  for (const line of lines) {
    const [, key, first = ""] = ENTRY.exec(line) ?? [];
    if (key !== undefined) entries.push({ key, first: first.trim(), rest: [] });
    else if (entries.length > 0) entries.at(-1)?.rest.push(line);
    // Only comments and blank lines may precede the first entry.
    else if (!/^\s*(?:#|$)/.test(line)) return undefined;
  }
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map(({ key, first, rest }) => [key, readValue(first, rest, parse, depth)]),
  );
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
