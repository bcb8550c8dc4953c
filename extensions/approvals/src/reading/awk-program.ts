/** Functions and variables with which awk runs programs, or reads and writes other files than its operands. */
const REACHES =
  /\b(?:system|getline|close|fflush|ARGV|ARGC|ENVIRON|SYMTAB|FUNCTAB|PROCINFO)\b|[@#`\\]/;
/** Words after which a slash may start a regular expression. */
const KEYWORD = /\b(?:case|delete|do|else|exit|for|func|function|if|in|print|printf|return|while)$/;
/** Characters after which a slash starts a regular expression. */
const BEFORE_EXPRESSION = /[({,;!~&|\n}]$|^$/;

/**
 * Returns whether a program of awk only prints what its operands contain: it has no pipe, no redirection, and nothing that
 * reaches further.
 */
export function isReadingAwk(program: string): boolean {
  const code = withoutTexts(program);
  if (code === undefined || REACHES.test(code)) return false;
  if (/(?<!\|)\|(?!\|)/.test(code) || />>/.test(code)) return false;
  // In a statement that prints, `>` outside of parentheses names a file.
  return !/\bprintf?\b[^;{}]*>/.test(withoutParentheses(code));
}

function withoutParentheses(code: string): string {
  let rest = code;
  for (let shorter = ""; shorter !== rest; ) {
    shorter = rest;
    rest = rest.replace(/\([^()]*\)/g, " ");
  }
  return rest;
}

/** Returns a program without its strings and regular expressions; undefined where they are not certain. */
function withoutTexts(program: string): string | undefined {
  let code = "";
  let at = 0;
  while (at < program.length) {
    const character = program.charAt(at);
    const before = code.replace(/[ \t]+$/, "");
    if (character === '"') {
      const end = endOf(program, at, '"');
      if (end === undefined) return undefined;
      code += '""';
      at = end;
    } else if (character === "/" && BEFORE_EXPRESSION.test(before)) {
      const end = endOf(program, at, "/");
      if (end === undefined) return undefined;
      code += "//";
      at = end;
    } else if (character === "/" && !isDivision(before, program.slice(at))) {
      return undefined;
    } else {
      code += character;
      at += 1;
    }
  }
  return code;
}

/** After a parenthesis a slash may start an expression, which matters where a quote could be part of it. */
function isDivision(before: string, rest: string): boolean {
  if (before.endsWith(")")) return !rest.includes('"');
  return /[\w\]]$/.test(before) && !KEYWORD.test(before);
}

/** Returns the position after the end of a text; a slash in brackets ends it for some programs only. */
function endOf(program: string, start: number, delimiter: string): number | undefined {
  for (let at = start + 1; at < program.length; at += 1) {
    const character = program.charAt(at);
    if (character === "\n") return undefined;
    if (character === "\\") at += 1;
    else if (character === delimiter) {
      const text = program.slice(start + 1, at);
      return delimiter === "/" && hasOpenBracket(text) ? undefined : at + 1;
    }
  }
  return undefined;
}

/** Returns whether a bracket expression is not closed in a regular expression. */
export function hasOpenBracket(expression: string): boolean {
  return /(?<!\\)\[\^?\]?[^\]]*$/.test(expression);
}
