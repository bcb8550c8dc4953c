import { hasOpenBracket } from "./awk-program.js";

const NUMBER = /^\d+(?:~\d+)?|^\$|^[+~]\d+/;
/** Commands without words that only change what is printed. */
const SIMPLE = /^[pPdDnNgGhHx=l]/;
const LABEL = /^(?:[btT] *\w*|: *\w+)(?=[;\n} ]|$)/;
const FLAGS = /^(?:[gpiIM]|\d+)*/;

/** Returns whether a script of sed only changes what is printed: it reads and writes no file and runs nothing. */
export function isReadingSed(script: string): boolean {
  let rest = script;
  let depth = 0;
  while (true) {
    rest = rest.replace(/^[;\s]+/, "");
    if (rest === "") return depth === 0;
    const command = withoutAddresses(rest);
    if (command === undefined) return false;
    rest = command;
    if (rest.startsWith("{")) {
      depth += 1;
      rest = rest.slice(1);
      continue;
    }
    if (rest.startsWith("}")) {
      depth -= 1;
      if (depth < 0) return false;
      rest = rest.slice(1);
      continue;
    }
    const after = afterCommand(rest);
    if (after === undefined || !/^(?:\s*(?:[;\n}]|$))/.test(after)) return false;
    rest = after;
  }
}

function withoutAddresses(text: string): string | undefined {
  let rest = text;
  for (let count = 0; count < 2; count += 1) {
    const number = NUMBER.exec(rest)?.[0];
    if (number !== undefined) rest = rest.slice(number.length);
    else if (rest.startsWith("/")) {
      const end = endOf(rest, 1, "/");
      if (end === undefined) return undefined;
      rest = rest.slice(end).replace(/^[IM]+/, "");
    } else if (count === 1) return undefined;
    else break;
    if (!/^ *,/.test(rest)) break;
    if (count === 1) return undefined;
    rest = rest.replace(/^ *, */, "");
  }
  return rest.replace(/^ *!? */, "");
}

/** Returns the text after one command; undefined when it may do more. */
function afterCommand(text: string): string | undefined {
  if (SIMPLE.test(text)) return text.slice(1);
  const quit = /^[qQ] *\d*/.exec(text)?.[0] ?? LABEL.exec(text)?.[0];
  if (quit !== undefined) return text.slice(quit.length);
  const [, command, delimiter] = /^([sy])([/|#,!@%:_~])/.exec(text) ?? [];
  if (command === undefined || delimiter === undefined) return undefined;
  const middle = endOf(text, 2, delimiter);
  const end = middle === undefined ? undefined : endOf(text, middle, delimiter, true);
  if (end === undefined) return undefined;
  const rest = text.slice(end);
  return command === "s" ? rest.replace(FLAGS, "") : rest;
}

/** Returns the position after the delimiter that ends a part. */
function endOf(
  text: string,
  start: number,
  delimiter: string,
  isReplacement = false,
): number | undefined {
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\n") return undefined;
    if (character === "\\") {
      if (text.charAt(at + 1) === "\n") return undefined;
      at += 1;
    } else if (character === delimiter) {
      // Programs differ about a delimiter in brackets.
      return !isReplacement && hasOpenBracket(text.slice(start, at)) ? undefined : at + 1;
    }
  }
  return undefined;
}
