/** Values that are one plain word for every shell, also within other quotes, and no option. */
const PLAIN_VALUE = /^[A-Za-z0-9_./][\w./@%+,:-]*$/;
/** Here-documents, other quotes and comments, in which a quote has another meaning. */
const UNCERTAIN = /<<|\$['"]|#|`/;
/** Names that no shell sets or interprets by itself. */
const NAME = /^(?=.*_)[A-Z][A-Z0-9_]*$/;
const INTERPRETED =
  /^(?:BASH|LC|LD|DYLD|GIT|NODE|PYTHON|PERL|RUBY|SSH|SHELL|COMP|HIST|FUNC|PROMPT)_|_(?:PROXY|ENV|PATH|OPTIONS)$/;

/**
 * Returns a command in which variables of the call are replaced by their values, so that its evaluation does not need to
 * assume the worst about them. Only variables that the command names nowhere but in double quotes, as in `"$NAME"`, with a
 * value that needs no quotes are replaced; the meaning for the shell stays the same.
 * @param source - command as the shell would receive it
 * @param variables - variables that the call sets
 */
export function withKnownVariables(
  source: string,
  variables: Readonly<Record<string, unknown>>,
): string {
  if (UNCERTAIN.test(source)) return source;
  let known = source;
  for (const [name, value] of Object.entries(variables)) {
    if (typeof value !== "string" || !PLAIN_VALUE.test(value)) continue;
    if (!NAME.test(name) || INTERPRETED.test(name)) continue;
    const replaced = replacedIn(known, [`"$${name}"`, `"\${${name}}"`], value);
    if (!replaced.includes(name)) known = replaced;
  }
  return known;
}

/** Replaces some words outside of other quotes. */
function replacedIn(source: string, texts: readonly string[], value: string): string {
  let result = "";
  let quote: "'" | '"' | undefined;
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at);
    const found =
      quote === undefined ? texts.find((text) => source.startsWith(text, at)) : undefined;
    if (found !== undefined) {
      result += value;
      at += found.length - 1;
    } else if (character === "\\" && quote !== "'") {
      result += source.slice(at, at + 2);
      at += 1;
    } else {
      if (quote === character) quote = undefined;
      else if (quote === undefined && (character === "'" || character === '"')) quote = character;
      result += character;
    }
  }
  return result;
}
