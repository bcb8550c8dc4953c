/** Prompt with the names of its arguments. */
interface Prompt {
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
}

/** Arguments of a prompt, or the name of one that is missing. */
export type PromptArgumentValues =
  | { readonly values: Readonly<Record<string, string>> }
  | { readonly missing: string };

/**
 * Reads the arguments of a prompt: words in its order, or `name=value`. Quotation marks keep words together, and the last
 * argument takes the rest of the text.
 * @param prompt - prompt with its arguments
 * @param text - text after the command
 */
export function promptArguments(
  { arguments: list = [] }: Prompt,
  text: string,
): PromptArgumentValues {
  const names = list.map(({ name }) => name);
  const values: Record<string, string> = {};
  let rest = text.trim();
  while (rest !== "") {
    const [, named] = /^([\w.-]+)=/.exec(rest) ?? [];
    const isNamed = named !== undefined && names.includes(named);
    const open = names.filter((name) => !Object.hasOwn(values, name));
    const name = isNamed ? named : open[0];
    if (name === undefined) break;
    const from = isNamed ? rest.slice(named.length + 1) : rest;
    const [whole = "", quoted, word = ""] = /^(?:"([^"]*)"|(\S*))\s*/.exec(from) ?? [];
    const isLast = !isNamed && open.length === 1 && quoted === undefined;
    values[name] = isLast ? from : (quoted ?? word);
    rest = isLast ? "" : from.slice(whole.length);
  }
  const missing = list.find(
    ({ name, required }) => required === true && !Object.hasOwn(values, name),
  );
  return missing === undefined ? { values } : { missing: missing.name };
}

/**
 * Returns the arguments of a prompt for a person, for example `<team> [state]`.
 * @param prompt - prompt with its arguments
 */
export function promptUsage({ arguments: list = [] }: Prompt): string {
  return list
    .map(({ name, required }) => (required === true ? `<${name}>` : `[${name}]`))
    .join(" ");
}

/** Argument that a person is writing. */
export interface WrittenArgument {
  readonly name: string;
  /** Value as far as it is written. */
  readonly value: string;
  /** Values of the arguments before it. */
  readonly given: Readonly<Record<string, string>>;
}

/**
 * Returns the argument of a prompt that a person is writing: the last word.
 * @param prompt - prompt with its arguments
 * @param text - text after the command
 * @returns undefined for a prompt without arguments
 */
export function writtenArgument(
  { arguments: list = [] }: Prompt,
  text: string,
): WrittenArgument | undefined {
  const words = text.split(/\s+/);
  const argument = list[Math.min(words.length, list.length) - 1];
  if (argument === undefined) return undefined;
  const earlier = list
    .slice(0, words.length - 1)
    .map(({ name }, index) => [name, words[index] ?? ""] as const);
  return { name: argument.name, value: words.at(-1) ?? "", given: Object.fromEntries(earlier) };
}
