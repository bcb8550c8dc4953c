/**
 * Maximum nesting of arguments that is parsed; the safety engine rejects less deep nesting, with a separate
 * message.
 */
const DEEPEST = 64;
/**
 * Maximum number of values in arguments that are parsed, counting members of objects and elements of lists.
 */
const MOST_VALUES = 10_000;

/**
 * Returns the limit that a JSON text exceeds, without parsing it.
 * @param text - JSON, or a model's attempt at it
 * @returns limit such as `64 levels`; undefined when the text is small enough
 */
export function excessOf(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isString) {
      if (character === "\\") at += 1;
      else if (character === '"') isString = false;
      continue;
    }
    switch (character) {
      case '"':
        isString = true;
        break;
      case "{":
      case "[":
        depth += 1;
        values += 1;
        if (depth > DEEPEST) return `${DEEPEST} levels`;
        break;
      case "}":
      case "]":
        depth -= 1;
        break;
      case ",":
        values += 1;
        break;
      default:
    }
    if (values > MOST_VALUES) return `${MOST_VALUES} values`;
  }
  return undefined;
}
