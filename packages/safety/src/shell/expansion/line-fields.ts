import { NotExpandable } from "./expanded-command.js";

/** Variables of `read`, and how it divides a line. */
export interface LineFields {
  readonly names: readonly string[];
  /** Characters that separate the fields; undefined for white space. */
  readonly separators: string | undefined;
}

const NAME = /^[A-Za-z_]\w*$/;
const VALUE = /^[^\\\w\s]?$/u;
const BLANKS = /^[ \t]+|[ \t]+$/g;

/**
 * Reads the words of `read`.
 * @param words - words after the program
 * @param separators - value that is set for `IFS`; undefined when none is
 * @param text - text that it reads
 * @throws NotExpandable when it has other options, or separators of several characters
 */
export function lineFields(
  words: readonly string[],
  separators: string | undefined,
  text: string,
): LineFields {
  const [first = "", ...rest] = words;
  const names = first === "-r" ? rest : words;
  // Without `-r` a backslash joins lines.
  const isRaw = first === "-r" || !text.includes("\\");
  const isNamed = names.length > 0 && names.every((name) => NAME.test(name));
  if (!isRaw || !isNamed || !VALUE.test(separators ?? "")) throw new NotExpandable("read");
  return { names, separators };
}

/**
 * Returns the values that `read` gives its variables for one line.
 * @param line - line without its end
 * @param fields - variables and separators
 * @throws NotExpandable when what the last variable gets depends on the shell
 */
export function valuesOfLine(
  line: string,
  { names, separators }: LineFields,
): readonly (readonly [string, string])[] {
  const values: string[] = [];
  let rest = separators === undefined ? line.replace(BLANKS, "") : line;
  for (const _ of names.slice(1)) {
    const [field, after] = separators === "" ? [rest, ""] : divided(rest, separators);
    values.push(field);
    rest = after;
  }
  // Shells remove a last separator in some places only.
  if (separators !== undefined && separators !== "" && rest.endsWith(separators)) {
    throw new NotExpandable("a last separator");
  }
  values.push(rest);
  return names.map((name, index) => [name, values[index] ?? ""] as const);
}

function divided(text: string, separator: string | undefined): [string, string] {
  if (separator === undefined) {
    const [, field = "", rest = ""] = /^([^ \t]*)[ \t]*(.*)$/s.exec(text) ?? [];
    return [field, rest];
  }
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
