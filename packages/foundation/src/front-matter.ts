import { startOfText } from "./content/text-cut.js";
import { type ParseYaml, parseLenientYaml, writtenText } from "./lenient-yaml.js";

/** A Markdown file with settings at its start, between two lines `---`. */
export interface FrontMatterDocument {
  /** The settings. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The text after them. */
  readonly body: string;
}

const OPENING = /^\s*---+[ \t]*\n/;
const CLOSING = /(?:^|\n)(?:---+|\.\.\.)[ \t]*(?:\n|$)/;
/** A line of settings. */
const SETTING = /^(?:[A-Za-z_][\w-]*[ \t]*:|[ \t]+\S|-[ \t])/;
/** A paragraph or heading of the text, which no settings contain. */
const PROSE = /\n[ \t]*\n(?:#+ [^\n]*\n[ \t]*\n)?(?=[A-Za-z*>])(?![A-Za-z_][\w-]*[ \t]*:)/;

/**
 * Reads the front matter of a Markdown file, which is YAML. Settings that are not quite YAML, such as an unquoted value
 * with a colon, and settings without a closing line are read leniently. A number beyond 2^53 is returned as a string.
 * @param text - text of the file
 * @param fields - fields that the front matter has, for the message when it is missing
 * @param strings - fields with a string, also where YAML reads something else, such as a comment
 * @returns the document, or the problem as a part of a sentence after the name of the file
 */
export async function readFrontMatter(
  text: string,
  fields: string,
  strings: readonly string[] = [],
): Promise<FrontMatterDocument | { readonly problem: string }> {
  const parts = separate(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"));
  if (parts === undefined) {
    return { problem: `has no front matter; start it with --- , ${fields} and ---` };
  }
  const { matter, body } = parts;
  // Imported on first use: most hosts have no such file.
  const { parse: parseYaml } = await import("./yaml.js");
  const parse: ParseYaml = (yaml) =>
    withoutLargeNumbers(
      parseYaml(yaml, { schema: "core", maxAliasCount: 0, logLevel: "error", intAsBigInt: true }),
    );
  let found: unknown;
  let reason: string | undefined;
  try {
    found = parse(matter);
  } catch (error) {
    [reason] = String(error instanceof Error ? error.message : error).split("\n");
  }
  const values = isRecord(found) ? found : parseLenientYaml(matter, parse);
  if (values !== undefined) return { values: withTexts(values, matter, strings), body };
  return {
    problem:
      reason === undefined
        ? `has front matter that is not a mapping, found ${describeSetting(found)}`
        : `has front matter that is not YAML: ${reason}`,
  };
}

/** Separates the settings from the text after them; without a closing line they end at the first other line. */
function separate(text: string): { readonly matter: string; readonly body: string } | undefined {
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const rest = text.slice(opening[0].length);
  const closing = CLOSING.exec(rest);
  const closed = rest.slice(0, closing?.index ?? 0);
  // A line `---` far below may be a rule of the text.
  if (closing !== null && !PROSE.test(closed)) {
    return { matter: closed, body: rest.slice(closing.index + closing[0].length) };
  }
  const lines = rest.split("\n");
  const end = lines.findIndex((line) => !SETTING.test(line));
  const count = end === -1 ? lines.length : end;
  if (count === 0) return undefined;
  return { matter: lines.slice(0, count).join("\n"), body: lines.slice(count).join("\n") };
}

/** YAML reads `#fast replies` as a comment, `{name}` as a mapping, and `!new` as a tag of the next word. */
function withTexts(
  values: Readonly<Record<string, unknown>>,
  matter: string,
  strings: readonly string[],
): Readonly<Record<string, unknown>> {
  const written = strings.flatMap((key) => {
    const text = writtenText(matter, key);
    const isMisread = typeof values[key] === "object" || (text !== undefined && /^[!&]/.test(text));
    return isMisread && text !== undefined ? [[key, text]] : [];
  });
  return { ...values, ...Object.fromEntries(written) };
}

/** An ID must not be rounded to another one. */
function withoutLargeNumbers(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (Array.isArray(value)) return value.map(withoutLargeNumbers);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutLargeNumbers(member)]),
  );
}

/**
 * Returns a value of front matter for a message, shortened.
 * @param value - any value
 */
export function describeSetting(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${startOfText(text, 80)}…` : text;
}

/**
 * Returns true for an object that is not a list.
 * @param value - any value
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
