import type { OfferedPrompt } from "../server/offers.js";

/** Arguments of a prompt, or the name of one that is missing. */
export type PromptArguments =
  | { readonly values: Readonly<Record<string, string>> }
  | { readonly missing: string };

/**
 * Reads the arguments of a prompt: words in its order, or `name=value`. Quotation marks keep words together, and the last
 * argument takes the rest of the text.
 * @param prompt - prompt with its arguments
 * @param text - text after the command
 */
export function promptArguments(prompt: OfferedPrompt, text: string): PromptArguments {
  const names = prompt.arguments.map(({ name }) => name);
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
  const missing = prompt.arguments.find(
    ({ name, isRequired }) => isRequired && !Object.hasOwn(values, name),
  );
  return missing === undefined ? { values } : { missing: missing.name };
}

/**
 * Returns the arguments of a prompt for a person, for example `<team> [state]`.
 * @param prompt - prompt with its arguments
 */
export function usageOf(prompt: OfferedPrompt): string {
  return prompt.arguments
    .map(({ name, isRequired }) => (isRequired ? `<${name}>` : `[${name}]`))
    .join(" ");
}
