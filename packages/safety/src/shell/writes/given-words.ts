/** Words of a program; undefined for a word that is computed at run time. */
export type Words = readonly (string | undefined)[];

/** Options of a program that have a value. */
export interface ValueOptions {
  /** Letters after a single dash. */
  readonly letters?: string;
  /** Names with their dashes, whose value may be the next word. */
  readonly names?: readonly string[];
}

/** Options and operands of a program. */
export class GivenWords {
  /** Options with their dashes, each letter of a cluster by itself. */
  readonly options: readonly string[];
  readonly operands: Words;
  readonly #values: readonly { readonly option: string; readonly value: string | undefined }[];

  /**
   * Reads words like `getopt`: options may follow operands, and `--` ends them.
   * @param words - words after the program
   * @param takes - options that have a value; all others have none
   */
  constructor(words: Words, { letters = "", names = [] }: ValueOptions = {}) {
    const options: string[] = [];
    const operands: (string | undefined)[] = [];
    const values: { option: string; value: string | undefined }[] = [];
    for (let index = 0; index < words.length; index += 1) {
      const word = words[index];
      if (word === "--") {
        operands.push(...words.slice(index + 1));
        break;
      }
      if (word === undefined || word === "-" || !word.startsWith("-")) {
        operands.push(word);
        continue;
      }
      const isLong = word.startsWith("--") || names.includes(word);
      const attached = isLong ? longValue(word) : letterValue(word, letters);
      options.push(...attached.options);
      const option = attached.options.at(-1) ?? "";
      if (attached.value !== undefined) values.push({ option, value: attached.value });
      else if (isLong ? isNamed(option, names) : letters.includes(option.slice(1))) {
        index += 1;
        values.push({ option, value: words[index] });
      }
    }
    this.options = options;
    this.operands = operands;
    this.#values = values;
  }

  /**
   * Returns true when one of some options is given, also with an abbreviated name.
   * @param wanted - options with their dashes
   */
  has(...wanted: readonly string[]): boolean {
    return this.options.some((option) => isNamed(option, wanted));
  }

  /**
   * Returns the values of some options, in order.
   * @param wanted - options with their dashes
   */
  values(...wanted: readonly string[]): Words {
    return this.#values.filter(({ option }) => isNamed(option, wanted)).map(({ value }) => value);
  }
}

interface AttachedValue {
  readonly options: readonly string[];
  readonly value?: string | undefined;
}

function longValue(word: string): AttachedValue {
  const end = word.indexOf("=");
  return end === -1
    ? { options: [word] }
    : { options: [word.slice(0, end)], value: word.slice(end + 1) };
}

function letterValue(word: string, letters: string): AttachedValue {
  const given = [...word.slice(1)];
  const place = given.findIndex((letter) => letters.includes(letter));
  const options = (place === -1 ? given : given.slice(0, place + 1)).map((letter) => `-${letter}`);
  const value = place === -1 ? "" : given.slice(place + 1).join("");
  return value === "" ? { options } : { options, value };
}

/** A long option may be abbreviated. */
function isNamed(option: string, names: readonly string[]): boolean {
  if (names.includes(option)) return true;
  return (
    option.length > 3 && option.startsWith("--") && names.some((name) => name.startsWith(option))
  );
}
