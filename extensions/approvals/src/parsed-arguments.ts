/** Words of a command; undefined where one is computed at run time. */
export type Words = readonly (string | undefined)[];

/** Options of a program that take a value. */
export interface OptionValues {
  /** Letters after a single dash. */
  readonly letters?: string;
  /** Names after two dashes, whose value may be the next word. */
  readonly names?: readonly string[];
}

/** Options and operands of a program. */
export interface ParsedArguments {
  /**
   * Options with their dashes and without values, one per letter of a cluster, such as `-n` and
   * `--count`.
   */
  readonly options: readonly string[];
  /** Words that are not options, in order. */
  readonly operands: Words;
  /** Values by option, with its dashes. */
  readonly values: ReadonlyMap<string, Words>;
}

/**
 * Reads words like `getopt`: letters may be clustered, options may follow operands, and `--` ends
 * them. An option that is not known to take a value takes none, so that its value counts as an
 * operand.
 * @param words - words after the program
 * @param takes - options with a value
 */
export function readWords(words: Words, takes: OptionValues = {}): ParsedArguments {
  const options: string[] = [];
  const operands: (string | undefined)[] = [];
  const values = new Map<string, (string | undefined)[]>();
  const give = (option: string, value: string | undefined) =>
    values.set(option, [...(values.get(option) ?? []), value]);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === "--") {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (word === undefined || word === "-" || !word.startsWith("-")) {
      operands.push(word);
    } else if (word.startsWith("--")) {
      const [name = "", ...value] = word.slice(2).split("=");
      options.push(`--${name}`);
      if (value.length > 0) give(`--${name}`, value.join("="));
      else if (takes.names?.includes(name) === true) {
        index += 1;
        give(`--${name}`, words[index]);
      }
    } else {
      const letters = [...word.slice(1)];
      const place = letters.findIndex((letter) => takes.letters?.includes(letter) === true);
      const last = letters[place];
      const given = last === undefined ? letters : letters.slice(0, place + 1);
      options.push(...given.map((letter) => `-${letter}`));
      if (last === undefined) continue;
      const attached = letters.slice(place + 1).join("");
      if (attached === "") index += 1;
      give(`-${last}`, attached === "" ? words[index] : attached);
    }
  }
  return { options, operands, values };
}

/**
 * Returns whether one of some options is given, also with an abbreviated name.
 * @param given - parsed arguments
 * @param letters - letters of the options
 * @param names - long names of the options
 */
export function isGiven(
  { options }: ParsedArguments,
  letters: string,
  names: readonly string[] = [],
): boolean {
  return options.some((option) =>
    option.startsWith("--")
      ? names.some((name) => `--${name}`.startsWith(option))
      : letters.includes(option.slice(1)),
  );
}
