const RANGE = /^\{(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?\}$/;
const NUMBER = /^-?\d+$/;

/**
 * Returns the alternatives of one brace expression as source text; undefined when there are too
 * many.
 * @param text - expression with its braces, such as `{a,b}` or `{1..3}`
 * @param most - maximum number of alternatives
 */
export function braceAlternatives(text: string, most: number): string[] | undefined {
  const [range, first, last, step] = RANGE.exec(text) ?? [];
  if (range !== undefined) return rangeAlternatives(`${first}`, `${last}`, Number(step ?? 1), most);
  const alternatives = splitAlternatives(text.slice(1, -1));
  return alternatives.length > most ? undefined : alternatives;
}

function rangeAlternatives(
  first: string,
  last: string,
  step: number,
  most: number,
): string[] | undefined {
  const isNumeric = NUMBER.test(first) && NUMBER.test(last);
  const from = isNumeric ? Number(first) : first.charCodeAt(0);
  const to = isNumeric ? Number(last) : last.charCodeAt(0);
  const width = Math.max(1, Math.abs(step));
  const count = Math.floor(Math.abs(to - from) / width) + 1;
  if (count > most) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const value = from + (to < from ? -index : index) * width;
    return isNumeric ? String(value) : String.fromCharCode(value);
  });
}

/** Splits at commas outside quotes, braces and parentheses. */
function splitAlternatives(body: string): string[] {
  const alternatives: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = "";
  for (let index = 0; index < body.length; index += 1) {
    const character = body.charAt(index);
    if (character === "\\" && quote !== "'") index += 1;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"' || character === "`") quote = character;
    else if (character === "{" || character === "(") depth += 1;
    else if (character === "}" || character === ")") depth -= 1;
    else if (character === "," && depth === 0) {
      alternatives.push(body.slice(start, index));
      start = index + 1;
    }
  }
  return [...alternatives, body.slice(start)];
}
