/** Role of the operands of a program. */
export type OperandRole =
  /** Files whose content it shows. */
  | "files"
  /** The same, but folders are not allowed. */
  | "regular-files"
  /** Regular files that exist, because the program would look for others with a similar name. */
  | "existing-files"
  /** Paths whose names or properties it shows. */
  | "names"
  /** Text for which it opens no file. */
  | "text";

/**
 * Exact words with which a program runs without approval. Any word that a table does not name needs
 * approval: abbreviations are not accepted, and no option is skipped.
 */
export interface ProgramTable {
  /** Options of one letter without a value; they may be clustered. */
  readonly flags?: string;
  /** Options of one letter with a value, attached or in the next word, and the form of the value. */
  readonly values?: Readonly<Record<string, RegExp>>;
  /**
   * Letters of `values` whose value must be the next word, because the program reads attached text
   * as further options.
   */
  readonly separate?: string;
  /**
   * Long options with their dashes, and the form of the value after `=`; null for an option without
   * a value.
   */
  readonly long?: Readonly<Record<string, RegExp | null>>;
  /** Long options whose value is the next word when it does not follow `=`. */
  readonly longNext?: readonly string[];
  /** Options with two values, which are the next words. */
  readonly pairs?: readonly string[];
  /** Form of other words that are options, such as `-20`. */
  readonly words?: RegExp;
  /** Number of the first operands that are text, and the form of that text. */
  readonly text?: { readonly count: number; readonly form: Pick<RegExp, "test"> };
  /** Options that contain that text, so that every operand is a file. */
  readonly givesText?: readonly string[];
  /** True when options end before the first operand, so that later words with a dash are operands. */
  readonly optionsFirst?: boolean;
  readonly operands: OperandRole;
  /** Form of all operands that are not text, in addition to their role. */
  readonly each?: RegExp;
  /** Form of operands that are text. */
  readonly form?: RegExp;
  /** Form of all operands that are text, joined by spaces. */
  readonly together?: RegExp;
  readonly most?: number;
  readonly least?: number;
  /** Options with which it reads all files of a folder; `always` when it needs none. */
  readonly walks?: "always" | readonly string[];
  /** Options that the host adds before the operands of a program that reads recursively. */
  readonly exclusions?: readonly string[];
  /** Options of a recursive read that follow links, with those that run instead of them. */
  readonly insteadOf?: Readonly<Record<string, string>>;
  /** Further such options, which it gets also where there is nothing to exclude. */
  readonly walking?: readonly string[];
  /**
   * Options with which a program that prints its options does not; without one of them, it gets exclusions only where there is
   * something to exclude.
   */
  readonly hidesWords?: readonly string[];
}

/** Words of a program, as its table reads them. */
export interface ReadArguments {
  /** Options as written, with clusters separated. */
  readonly options: readonly string[];
  /** Words up to the operands, as written. */
  readonly optionWords: readonly string[];
  /** Operands that are text, which precede the others. */
  readonly text: readonly string[];
  readonly operands: readonly string[];
}

/**
 * Reads the words of a program.
 * @param words - words after the program
 * @returns the parsed words, or the first word that the table does not name
 */
export function readArguments(
  table: ProgramTable,
  words: readonly string[],
): ReadArguments | { readonly unknown: string } {
  const options: string[] = [];
  const optionWords: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") {
      operands.push(...words.slice(index + 1));
      break;
    }
    const isOperand = word === "-" || !word.startsWith("-");
    if (isOperand || (table.optionsFirst === true && operands.length > 0)) {
      operands.push(word);
      continue;
    }
    if (table.pairs?.includes(word) === true && words[index + 2] !== undefined) {
      optionWords.push(...words.slice(index, index + 3));
      index += 2;
      continue;
    }
    const read = readOption(table, word, words[index + 1]);
    if (read === undefined) return { unknown: word };
    options.push(...read.options);
    optionWords.push(word);
    if (read.takesNext) {
      index += 1;
      optionWords.push(words[index] ?? "");
    }
  }
  // A word that could be read as an option needs approval, also after `--`.
  const undecided = table.optionsFirst === true ? operands.slice(0, 1) : operands;
  const dashed = undecided.find((operand) => /^-./.test(operand));
  if (dashed !== undefined) return { unknown: dashed };
  const isGiven = table.givesText?.some((option) => options.includes(option)) === true;
  const count = isGiven ? 0 : (table.text?.count ?? 0);
  const text = operands.slice(0, count);
  if (text.length < count) return { unknown: "a missing operand" };
  const wrong = text.find((operand) => table.text?.form.test(operand) !== true);
  if (wrong !== undefined) return { unknown: wrong };
  const rest = operands.slice(count);
  const odd = rest.find((operand) => table.each?.test(operand) === false);
  if (odd !== undefined) return { unknown: odd };
  if (rest.length < (table.least ?? 0)) return { unknown: "a missing operand" };
  const beyond = rest[table.most ?? Number.POSITIVE_INFINITY];
  if (beyond !== undefined) return { unknown: beyond };
  return { options, optionWords, text, operands: rest };
}

interface ReadOption {
  readonly options: readonly string[];
  readonly takesNext: boolean;
}

function readOption(
  { flags = "", values = {}, separate = "", long = {}, longNext = [], words }: ProgramTable,
  word: string,
  next: string | undefined,
): ReadOption | undefined {
  if (words?.test(word) === true) return { options: [word], takesNext: false };
  if (word.startsWith("--")) {
    const end = word.indexOf("=");
    const name = end === -1 ? word : word.slice(0, end);
    if (!Object.hasOwn(long, name)) return undefined;
    const form = long[name] ?? null;
    if (end === -1 && form !== null && longNext.includes(name)) {
      const isFine = next !== undefined && form.test(next);
      return isFine ? { options: [name], takesNext: true } : undefined;
    }
    const isFine = end === -1 ? form === null : form?.test(word.slice(end + 1)) === true;
    return isFine ? { options: [name], takesNext: false } : undefined;
  }
  const options: string[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    options.push(`-${letter}`);
    if (flags.includes(letter)) continue;
    const form = Object.hasOwn(values, letter) ? values[letter] : undefined;
    if (form === undefined) return undefined;
    const attached = word.slice(at + 1);
    if (attached !== "" && separate.includes(letter)) return undefined;
    const value = attached === "" ? next : attached;
    if (value === undefined || !form.test(value)) return undefined;
    return { options, takesNext: attached === "" };
  }
  return { options, takesNext: false };
}
