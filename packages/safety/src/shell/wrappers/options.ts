/**
 * Options of a wrapper program that decide where its inner command begins.
 */
export interface WrapperOptions {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters of options with a value, attached or in the next word. */
  readonly values?: string;
  /** Letters of options whose value, if any, is attached. */
  readonly optional?: string;
  /** Letters of options whose value is always in the next word, also from within a cluster. */
  readonly detached?: string;
  /** Long options without a value, or with one after `=`. */
  readonly longFlags?: readonly string[];
  /** Long options with a value, after `=` or in the next word. */
  readonly longValues?: readonly string[];
  /** True when a dash by itself is an option. */
  readonly loneDash?: boolean;
  /** True when clusters may begin with a plus. */
  readonly plus?: boolean;
  /** True when a dash and a number is an option, as in `nice -5`. */
  readonly numeric?: boolean;
}

/** Option that was given, with its letter or long name. */
export interface GivenOption {
  readonly name: string;
  /** Undefined without a value, and for a value that is computed at run time. */
  readonly value: string | undefined;
  /** Index of the word that is the value, unless the value was attached. */
  readonly word?: number;
}

/** End of the options of a program. */
export interface OptionScan {
  readonly given: readonly GivenOption[];
  /** Index of the first word that is not an option. */
  readonly end: number;
  /** True when every option was known; otherwise `end` is a guess. */
  readonly certain: boolean;
}

/**
 * Reads the options at the front of a program's words.
 * @param words - words after the program; undefined where computed at run time
 * @param options - options of the program
 * @param from - index of the first word to read
 */
export function scanOptions(
  words: readonly (string | undefined)[],
  options: WrapperOptions,
  from = 0,
): OptionScan {
  const given: GivenOption[] = [];
  let certain = true;
  let index = from;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined) return { given, end: index, certain: false };
    if (word === "--") return { given, end: index + 1, certain };
    const read = readWord(word, options);
    if (read === undefined) break;
    certain &&= read.certain;
    given.push(...read.given);
    index += 1;
    for (const name of read.pending) {
      given.push({ name, value: words[index], word: index });
      index += 1;
    }
  }
  return { given, end: Math.min(index, words.length), certain };
}

interface OptionRead {
  readonly given: readonly GivenOption[];
  readonly certain: boolean;
  /** Names of the options whose values are the next words. */
  readonly pending: readonly string[];
}

/** Returns undefined for a word that is not an option. */
function readWord(word: string, options: WrapperOptions): OptionRead | undefined {
  if (word === "-") return options.loneDash === true ? NOTHING : undefined;
  if (word.startsWith("--")) return readLong(word.slice(2), options);
  if (word.startsWith("-") || (options.plus === true && word.startsWith("+"))) {
    return readCluster(word.slice(1), options);
  }
  return undefined;
}

const NOTHING: OptionRead = { given: [], certain: true, pending: [] };

/**
 * Reads a long option, which may be abbreviated as long as only one known option begins with it.
 */
function readLong(text: string, { longFlags = [], longValues = [] }: WrapperOptions): OptionRead {
  const [name = "", ...rest] = text.split("=");
  const value = rest.length === 0 ? undefined : rest.join("=");
  const candidates = [...longFlags, ...longValues].filter((known) => known.startsWith(name));
  const full = candidates.includes(name) ? name : candidates[0];
  if (full === undefined) return { given: [{ name, value }], certain: false, pending: [] };
  const certain = candidates.length === 1 || full === name;
  return value === undefined && longValues.includes(full)
    ? { given: [], certain, pending: [full] }
    : { given: [{ name: full, value }], certain, pending: [] };
}

function readCluster(
  letters: string,
  { flags = "", values = "", optional = "", detached = "", numeric = false }: WrapperOptions,
): OptionRead {
  if (numeric && /^\d+$/.test(letters)) return NOTHING;
  const given: GivenOption[] = [];
  const pending: string[] = [];
  let certain = true;
  for (const [index, letter] of [...letters].entries()) {
    const rest = letters.slice(index + 1);
    if (detached.includes(letter) || (values.includes(letter) && rest === "")) {
      pending.push(letter);
    } else if (values.includes(letter) || optional.includes(letter)) {
      given.push({ name: letter, value: rest });
      break;
    } else {
      certain &&= flags.includes(letter);
      given.push({ name: letter, value: undefined });
    }
  }
  return { given, certain, pending };
}
