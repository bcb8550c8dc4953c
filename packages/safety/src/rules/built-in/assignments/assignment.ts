import type { Range } from "../../../text/range.js";

/** Value with the name it is assigned to, as in settings, code, JSON, YAML, XML and commands. */
export interface Assignment {
  /** Name in lower case, without the separators `_`, `-` and `.`. */
  readonly name: string;
  readonly value: string;
  /** Range of the value in the text. */
  readonly range: Range;
  /** Notation of the value: in quotes, after `=` without space, or any other. */
  readonly form: "quoted" | "setting" | "bare";
  /** True for a variable of the environment, such as `DB_PASSWORD`. */
  readonly isVariable: boolean;
}

/** Words at the end of names whose values are checked, longest first. */
const NAME_END = "credentials?|passphrase|password|passwd|pass|secrets?|tokens?|keys?|pwd";
const NAME = /[A-Za-z0-9_.-]/;
const LONGEST_NAME = 64;
/** Suffix that can follow the last word of a name. */
const SUFFIX = "(?:\\d{1,2})?";
const QUOTE = "\\\\{0,3}[\"'`]";
/** Type between a name and its value, in Go, TypeScript and Kotlin. */
const TYPE = "(?:[ \\t]string(?=[ \\t]*=)|:[ \\t]?[Ss]tring(?=[ \\t]*=))?";
const OPERATOR = new RegExp(
  `(?:${NAME_END})${SUFFIX}(?:(${QUOTE})\\]?)?${TYPE}([ \\t]{0,4})(=>|:{1,3}=|\\?{1,2}=|[.+]=|=(?![=>~])|:(?!:)|,|>)([ \\t]{0,4})`,
  "iy",
);
/** Option of a command, whose value follows behind white space. */
const OPTION = new RegExp(`(?:${NAME_END})([ \\t]{1,4})(?![-=:])`, "iy");
const QUOTED = /(\\{0,3}["'`])([^\s"'`\\]{1,256})\1/y;
const BARE = /[^\s"'`,;<>(){}[\]|\\]{1,256}(?![A-Za-z0-9(.[])/y;
const ELEMENT = /\s{0,32}([^\s<>"'`\\]{1,256})\s{0,32}<\//dy;
/** A bare value of a setting or of YAML ends with the word or the line. */
const AFTER_BARE = /[ \t]{0,8}(?:$|[\r\n]|[&;#"'`\s]|\\[nrt])/y;
const AFTER_LINE = /[ \t]{0,8}(?:$|[\r\n#]|\\[nr])/y;

/** Ends of names whose assignments are read; case does not matter. */
export const ASSIGNMENT_ANCHORS: readonly string[] = [
  "key",
  "token",
  "secret",
  "credential",
  "password",
  "passphrase",
  "passwd",
  "pass",
  "pwd",
].flatMap((word) => [`${word}[s"'\`:=?>0-9\\\\ \t]`, `${word}[.+]=`]);

/** Matches where an assignment may be; much faster than reading it, and most words behind a name are not values. */
export const ASSIGNMENT_OPENING = new RegExp(
  `(?:${NAME_END})(?:${SUFFIX}(?:${QUOTE}\\]?)?${TYPE}[ \\t]{0,4}[=:?.+,>]|[ \\t]{1,4}(?<=--[A-Za-z0-9_.-]{1,${2 * LONGEST_NAME}}[ \\t]{1,4}))`,
  "iy",
);

/** Cache of the last assignment, because several rules read the same place in succession. */
let last: { text: string; at: number; found: Assignment | undefined } | undefined;

/**
 * Returns the assignment whose name ends at a position.
 * @param at - start of the last word of the name
 */
export function assignmentAt(text: string, at: number): Assignment | undefined {
  if (last?.at !== at || last.text !== text) last = { text, at, found: read(text, at) };
  return last.found;
}

function read(text: string, at: number): Assignment | undefined {
  OPERATOR.lastIndex = at;
  const operator = OPERATOR.exec(text);
  if (operator === null) return optionValue(text, at);
  const [matched, quote, before, sign, behind] = operator;
  const valueAt = at + matched.length;
  if (sign === ">") return elementValue(text, valueAt, at);
  QUOTED.lastIndex = valueAt;
  const quoted = QUOTED.exec(text);
  if (quoted !== null) {
    const named = nameAround(text, at);
    // A list of strings is not an assignment, but a variable and its value are the arguments of a setter.
    if (sign === "," && (quote === undefined || !named.isVariable)) return undefined;
    const value = `${quoted[2]}`;
    const start = valueAt + `${quoted[1]}`.length;
    return { ...named, value, range: [start, start + value.length], form: "quoted" };
  }
  if (sign === ",") return undefined;
  const isSetting = sign === "=" && before === "" && behind === "";
  return bareValue(text, valueAt, at, isSetting ? "setting" : "bare");
}

type Named = Pick<Assignment, "name" | "isVariable">;

function bareValue(
  text: string,
  at: number,
  nameAt: number,
  form: "setting" | "bare",
): Assignment | undefined {
  BARE.lastIndex = at;
  const bare = BARE.exec(text);
  if (bare === null) return undefined;
  const [value] = bare;
  const after = form === "setting" ? AFTER_BARE : AFTER_LINE;
  after.lastIndex = at + value.length;
  return after.test(text)
    ? { ...nameAround(text, nameAt), value, range: [at, at + value.length], form }
    : undefined;
}

/** Reads the text of an XML element that is named like a secret. */
function elementValue(text: string, at: number, nameAt: number): Assignment | undefined {
  ELEMENT.lastIndex = at;
  const found = ELEMENT.exec(text);
  const range = found?.indices?.[1];
  return found === null || range === undefined
    ? undefined
    : { ...nameAround(text, nameAt), value: `${found[1]}`, range, form: "quoted" };
}

/** Reads the value of an option such as `--token VALUE`. */
function optionValue(text: string, at: number): Assignment | undefined {
  OPTION.lastIndex = at;
  const option = OPTION.exec(text);
  if (option === null || !isOption(text, at)) return undefined;
  const valueAt = at + option[0].length;
  QUOTED.lastIndex = valueAt;
  const quoted = QUOTED.exec(text);
  if (quoted === null) return bareValue(text, valueAt, at, "setting");
  const value = `${quoted[2]}`;
  const start = valueAt + `${quoted[1]}`.length;
  return {
    ...nameAround(text, at),
    value,
    range: [start, start + value.length],
    form: "quoted",
  };
}

/** Returns the offset at which the name begins whose last word begins at an offset. */
function nameStart(text: string, at: number): number {
  let start = at;
  while (at - start < LONGEST_NAME && NAME.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function isOption(text: string, at: number): boolean {
  return /^--[a-z]/.test(text.slice(nameStart(text, at), at + 1));
}

/** Reads a name backwards from its last word, and that word. */
function nameAround(text: string, at: number): Named {
  let end = at;
  while (end - at < LONGEST_NAME && NAME.test(text.charAt(end))) end += 1;
  const written = text.slice(nameStart(text, at), end);
  return {
    name: written
      .toLowerCase()
      .replace(/[_.-]/g, "")
      .replace(/\d{1,2}$/, ""),
    isVariable: /^[A-Z][A-Z0-9_]+$/.test(written),
  };
}
