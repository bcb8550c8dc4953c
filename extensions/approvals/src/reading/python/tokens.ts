/** Part of a program of Python. */
export interface PythonToken {
  readonly kind: "name" | "number" | "text" | "format" | "sign" | "line";
  /** Word or sign; of a string, the text between its quotes. */
  readonly text: string;
  /** True for a string with backslashes that mean something. */
  readonly isEscaped?: boolean;
  /** For the start of a line, its indentation. */
  readonly indent?: number;
}

const BLANK = /[ \t]*(?:#[^\n]*)?/y;
const STRING =
  /(?<prefix>[rRfFuU]{0,2})(?:'''(?<longSingle>(?:[^\\]|\\.)*?)'''|"""(?<longDouble>(?:[^\\]|\\.)*?)"""|'(?<single>(?:[^'\\\n]|\\.)*)'|"(?<double>(?:[^"\\\n]|\\.)*)")/sy;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /\d+(?:\.\d+)?(?![\w.])/y;
const SIGN = /\/\/|\*\*|->|[-+*]=|[<>!=]=|[-+*/%<>=()[\]{},.:;|&@]/y;
const OPEN = "([{";
const CLOSE = ")]}";
const DEEPEST = 20;

/**
 * Separates a program of Python into its parts.
 * @param code - text of the program
 * @returns undefined when a part is not known here
 */
export function pythonTokens(code: string): readonly PythonToken[] | undefined {
  const tokens: PythonToken[] = [];
  let depth = 0;
  let at = 0;
  const take = (expression: RegExp) => {
    expression.lastIndex = at;
    const found = expression.exec(code);
    if (found !== null) at = expression.lastIndex;
    return found;
  };
  const beginLine = () => {
    const [spaces = ""] = /^[ \t]*/.exec(code.slice(at)) ?? [];
    tokens.push({
      kind: "line",
      text: "\n",
      indent: spaces.replaceAll("\t", " ".repeat(8)).length,
    });
  };
  beginLine();
  while (true) {
    take(BLANK);
    if (at >= code.length) return depth === 0 ? tokens : undefined;
    if (code.charAt(at) === "\n") {
      at += 1;
      if (depth === 0) beginLine();
      continue;
    }
    const string = take(STRING);
    if (string !== null) {
      const { prefix = "", longSingle, longDouble, single, double } = string.groups ?? {};
      const text = longSingle ?? longDouble ?? single ?? double ?? "";
      const isRaw = /r/i.test(prefix);
      const kind = /f/i.test(prefix) ? "format" : "text";
      tokens.push({ kind, text, ...(text.includes("\\") && !isRaw ? { isEscaped: true } : {}) });
      continue;
    }
    const name = take(NAME)?.[0];
    // A prefix of bytes.
    if (name !== undefined && /['"]/.test(code.charAt(at))) return undefined;
    const number = name === undefined ? take(NUMBER)?.[0] : undefined;
    const sign = name ?? number ?? take(SIGN)?.[0];
    if (sign === undefined) return undefined;
    if (OPEN.includes(sign)) depth += 1;
    if (CLOSE.includes(sign)) depth -= 1;
    if (depth < 0 || depth > DEEPEST) return undefined;
    tokens.push({ kind: name ? "name" : number ? "number" : "sign", text: sign });
  }
}
