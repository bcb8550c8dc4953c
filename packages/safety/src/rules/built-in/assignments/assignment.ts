import type { Range } from "../../../text/range.js";

/** Value with the name it is assigned to, as in settings, code, JSON and YAML. */
export interface Assignment {
  /** Name in lower case, without the separators `_`, `-` and `.`. */
  readonly name: string;
  readonly value: string;
  /** Range of the value in the text. */
  readonly range: Range;
  /** Notation of the value: in quotes, after `=` without space, or any other. */
  readonly form: "quoted" | "setting" | "bare";
}

/** Words at the end of names whose values are checked, longest first. */
const NAME_END = "credentials?|passphrase|password|passwd|secrets?|tokens?|keys?|pwd";
const NAME = /[A-Za-z0-9_.-]/;
const LONGEST_NAME = 64;
const OPERATOR = new RegExp(
  `(?:${NAME_END})["'\`]?([ \\t]{0,4})(=>|:=|=(?![=>~])|:(?!:))([ \\t]{0,4})`,
  "iy",
);
const QUOTED = /(["'`])([^\s"'`\\]{1,256})\1/y;
const BARE = /[^\s"'`,;<>(){}[\]|\\]{1,256}(?![A-Za-z0-9(.[\\])/y;
/** A bare value of a setting or of YAML ends with the word or the line. */
const AFTER_BARE = /[ \t]{0,8}(?:$|[\r\n]|[&;#"'`\s])/y;
const AFTER_LINE = /[ \t]{0,8}(?:$|[\r\n#])/y;

/** Ends of names whose assignments are read; case does not matter. */
export const ASSIGNMENT_ANCHORS: readonly string[] = [
  "key",
  "token",
  "secret",
  "credential",
  "password",
  "passphrase",
  "passwd",
  "pwd",
].map((word) => `${word}[s"'\`:= \t]`);

/** Cache of the last assignment, because several rules read the same place in succession. */
let last: { text: string; at: number; found: Assignment | undefined } | undefined;

/**
 * Returns the assignment whose name ends at a position.
 * @param text - any text
 * @param at - start of the last word of the name
 */
export function assignmentAt(text: string, at: number): Assignment | undefined {
  if (last?.at !== at || last.text !== text) last = { text, at, found: read(text, at) };
  return last.found;
}

function read(text: string, at: number): Assignment | undefined {
  OPERATOR.lastIndex = at;
  const operator = OPERATOR.exec(text);
  if (operator === null) return undefined;
  const [matched, before, sign, behind] = operator;
  const valueAt = at + matched.length;
  const name = nameAround(text, at);
  QUOTED.lastIndex = valueAt;
  const quoted = QUOTED.exec(text);
  if (quoted !== null) {
    const value = `${quoted[2]}`;
    return { name, value, range: [valueAt + 1, valueAt + 1 + value.length], form: "quoted" };
  }
  BARE.lastIndex = valueAt;
  const bare = BARE.exec(text);
  if (bare === null) return undefined;
  const [value] = bare;
  const isSetting = sign === "=" && before === "" && behind === "";
  const after = isSetting ? AFTER_BARE : AFTER_LINE;
  after.lastIndex = valueAt + value.length;
  if (!after.test(text)) return undefined;
  return {
    name,
    value,
    range: [valueAt, valueAt + value.length],
    form: isSetting ? "setting" : "bare",
  };
}

/** Reads a name backwards from its last word, and that word. */
function nameAround(text: string, at: number): string {
  let start = at;
  while (at - start < LONGEST_NAME && NAME.test(text.charAt(start - 1))) start -= 1;
  let end = at;
  while (end - at < LONGEST_NAME && NAME.test(text.charAt(end))) end += 1;
  return text.slice(start, end).toLowerCase().replace(/[_.-]/g, "");
}
