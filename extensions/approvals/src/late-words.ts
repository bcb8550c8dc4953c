import type { LateWord, LiteralProgram } from "@openclaw/plugin-sdk/hooks";

/** Placeholders for names, which are any number of words; the third one is beyond what a program may write to. */
const NAMES_SHOWN = 3;

/**
 * Returns the placeholders of words that are known when the program starts: files with output of others, and names of files.
 * @param program - program of an expanded command
 */
export function placeholders({ arguments: words, late = [] }: LiteralProgram): ReadonlySet<string> {
  const found = late.filter(isPlaceholder);
  return new Set(found.map(({ index }) => words[index] ?? ""));
}

/**
 * Returns a program with several placeholders where names come, so that a table decides about any number of them.
 * @param program - program of an expanded command
 */
export function withManyNames(program: LiteralProgram): LiteralProgram {
  const names = program.late?.find(({ parts }) => areNames(parts));
  if (names === undefined) return program;
  const words = program.arguments.flatMap((word, index) =>
    index === names.index ? Array.from({ length: NAMES_SHOWN }, () => word) : [word],
  );
  return { ...program, arguments: words };
}

/**
 * Returns the words with which a program runs, and where its late words are among them.
 * @param program - program of an expanded command
 * @param given - words with which its table lets it run
 * @returns undefined when a placeholder is not where it was
 */
export function withPlaces(
  program: LiteralProgram,
  given: readonly string[],
): Pick<LiteralProgram, "arguments" | "late"> | undefined {
  const { late } = program;
  if (late === undefined) return { arguments: given };
  let words = [...given];
  const places: LateWord[] = [];
  for (const word of late) {
    const { index, parts } = word;
    if (!isPlaceholder(word)) {
      places.push(word);
      continue;
    }
    const placeholder = program.arguments[index] ?? "";
    const at = words.indexOf(placeholder);
    const count = areNames(parts) ? NAMES_SHOWN : 1;
    const shown = words.slice(at, at + count);
    const all = words.filter((one) => one === placeholder);
    if (at === -1 || all.length !== count || shown.some((one) => one !== placeholder)) {
      return undefined;
    }
    words = [...words.slice(0, at + 1), ...words.slice(at + count)];
    places.push({ index: at, parts });
  }
  return { arguments: words, late: places };
}

/**
 * Returns whether a word is a file with output of others, or names of files.
 * @param word - late word of a program
 */
export function isPlaceholder({ parts }: LateWord): boolean {
  return isFile(parts) || areNames(parts);
}

function isFile([part]: LateWord["parts"]): boolean {
  return typeof part === "object" && "isFile" in part;
}

function areNames([part]: LateWord["parts"]): boolean {
  return typeof part === "object" && "isNames" in part;
}
