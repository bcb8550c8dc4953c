import { isShell, programName } from "../grammar/names.js";
import type { CommandAssignment } from "../grammar/parsed-command.js";
import { isTextProgram } from "../grammar/text-program.js";
import {
  COMPUTED,
  codeOf,
  filledWord,
  joinCode,
  knownWord,
  type ShellCode,
  type ShellWord,
  type StaticOutput,
  valuesOf,
} from "../grammar/word.js";
import { splitWords } from "../grammar/word-splitting.js";
import { optionCommands } from "./option-command.js";
import { type GivenOption, scanOptions } from "./options.js";
import { PARALLEL, SHELL, SU } from "./shell-options.js";
import { WRAPPERS } from "./table.js";
import type { Wrapper } from "./wrapper.js";

/** Command inside another one: as words, or as code for a shell. */
export type InnerCommand =
  | { readonly words: readonly ShellWord[] }
  | { readonly code: ShellCode; readonly alias?: string };

/** Commands that a command runs in addition to, or instead of, itself. */
export interface Unwrapping {
  readonly inner: readonly InnerCommand[];
  /** True when the outer program counts as a command too. */
  readonly itself: boolean;
  readonly assignments: readonly CommandAssignment[];
  /** True when the commands that run are certain. */
  readonly certain: boolean;
}

/** Knowledge about the run time. */
export interface StaticKnowledge {
  /** Output of a substitution. */
  readonly outputOf: StaticOutput;
  /** Text on standard input; undefined when it is not certain. */
  readonly input: string | undefined;
}

type Unwrap = (words: readonly ShellWord[], knowledge: StaticKnowledge) => Unwrapping;

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;
const CLUSTER_WITH_CODE = /^-[A-Za-z]*c[A-Za-z]*$/;
const PLACE = "{}";
const PARALLEL_SOURCE = /^::::?\+?$/;
const PARALLEL_PLACE = /\{[^{}\s]*\}/g;

/**
 * Returns the commands that a command runs (SAFE-044).
 * @param name - name of the program, without folder
 * @param words - words after the program
 * @param knowledge - knowledge about the run time
 */
export function unwrap(
  name: string,
  words: readonly ShellWord[],
  knowledge: StaticKnowledge,
): Unwrapping {
  if (isShell(name)) return unwrapShell(words, knowledge);
  const special = SPECIAL.get(name);
  if (special !== undefined) return special(words, knowledge);
  const wrapper = WRAPPERS.get(name);
  const options = optionCommands(name, valuesOf(words)).map(known);
  if (wrapper !== undefined) {
    const unwrapped = unwrapWrapper(wrapper, words, knowledge);
    return { ...unwrapped, inner: [...options, ...unwrapped.inner] };
  }
  const embedded = isTextProgram(name) ? [] : embeddedShell(words);
  return { inner: [...options, ...embedded], itself: true, assignments: [], certain: true };
}

const SPECIAL: ReadonlyMap<string, Unwrap> = new Map<string, Unwrap>([
  ["eval", (words, { outputOf }) => runs(words.length === 0 ? [] : [joined(words, outputOf)])],
  ["trap", unwrapTrap],
  ["alias", unwrapAlias],
  ["su", unwrapSu],
  ["runuser", unwrapSu],
  ["find", (words) => unwrapExec(words, new Set(["-exec", "-execdir", "-ok", "-okdir"]))],
  ["fd", (words) => unwrapExec(words, new Set(["-x", "--exec", "-X", "--exec-batch"]))],
  ["fdfind", (words) => unwrapExec(words, new Set(["-x", "--exec", "-X", "--exec-batch"]))],
  ["parallel", unwrapParallel],
]);

function runs(inner: readonly InnerCommand[], certain = true): Unwrapping {
  return { inner, itself: inner.length === 0, assignments: [], certain };
}

function known(text: string): InnerCommand {
  return { code: { text, complete: true } };
}

function joined(words: readonly ShellWord[], outputOf: StaticOutput): { code: ShellCode } {
  return {
    code: joinCode(
      words.map((word) => codeOf(word, outputOf)),
      " ",
    ),
  };
}

function unwrapWrapper(
  wrapper: Wrapper,
  words: readonly ShellWord[],
  knowledge: StaticKnowledge,
): Unwrapping {
  const { outputOf } = knowledge;
  const { given, rest, certain } = scanWrapper(wrapper, words);
  const names = new Set(given.map(({ name }) => name));
  if (wrapper.inert?.some((name) => names.has(name)) === true) return runs([]);
  const split = given.find(({ name }) => wrapper.split?.includes(name) === true);
  if (split !== undefined) {
    const again = unwrapWrapper(wrapper, [...splitWords(split.value, "env"), ...rest], knowledge);
    return { ...again, certain: again.certain && certain && split.value !== undefined };
  }
  const code = given.find(({ name }) => wrapper.code?.includes(name) === true);
  if (code !== undefined) return runs([{ code: optionCode(code, words, outputOf) }], certain);

  const assignments: CommandAssignment[] = [];
  let start = 0;
  for (const { value } of wrapper.assignments === true ? rest : []) {
    const [, name, assigned] = ASSIGNMENT.exec(value ?? "") ?? [];
    if (name === undefined) break;
    assignments.push({ name, value: assigned });
    start += 1;
  }
  const inner = rest.slice(start);
  if (inner.length === 0) return { ...runs([], certain), assignments };
  if (wrapper.joined === true) return { ...runs([joined(inner, outputOf)], certain), assignments };
  const filled = wrapper.appends === true ? withInput(inner, given, knowledge.input) : inner;
  return { ...runs([{ words: filled }], certain), assignments };
}

/** Removes options and operands; the rest is the command. */
function scanWrapper(
  wrapper: Wrapper,
  words: readonly ShellWord[],
): { given: GivenOption[]; rest: readonly ShellWord[]; certain: boolean } {
  const first = scanOptions(valuesOf(words), wrapper);
  const start = first.end + (wrapper.operands ?? 0);
  if (wrapper.lateOptions !== true || start >= words.length) {
    return { given: [...first.given], rest: words.slice(start), certain: first.certain };
  }
  const late = scanOptions(valuesOf(words), wrapper, start);
  return {
    given: [...first.given, ...late.given],
    rest: words.slice(late.end),
    certain: first.certain && late.certain,
  };
}

function optionCode(
  { value, word }: GivenOption,
  words: readonly ShellWord[],
  outputOf: StaticOutput,
): ShellCode {
  const separate = word === undefined ? undefined : words[word];
  return codeOf(separate ?? knownWord(value ?? ""), outputOf);
}

/** Inserts the input of `xargs` at its mark, or after the command. */
function withInput(
  words: readonly ShellWord[],
  given: readonly GivenOption[],
  input: string | undefined,
): ShellWord[] {
  const replace = given.find(({ name }) => ["I", "i", "replace", "J"].includes(name));
  if (replace === undefined) return [...words, ...splitWords(input, "xargs")];
  const mark = replace.value === undefined || replace.value === "" ? PLACE : replace.value;
  const line = input?.trim();
  const isOneLine = line !== undefined && !line.includes("\n");
  return words.map((word) =>
    isOneLine && word.value !== undefined
      ? knownWord(word.value.replaceAll(mark, () => line))
      : fill(word, mark),
  );
}

function fill(word: ShellWord, mark: string): ShellWord {
  return word.value?.includes(mark) === true
    ? filledWord(word.value.replaceAll(mark, COMPUTED))
    : word;
}

/**
 * Unwraps a shell: the first word after the options is code if one of them is `-c`, in any cluster.
 */
function unwrapShell(words: readonly ShellWord[], { outputOf }: StaticKnowledge): Unwrapping {
  const { given, end, certain } = scanOptions(valuesOf(words), SHELL);
  const inner = given
    .filter(({ name, value }) => value !== undefined && SHELL.code?.includes(name) === true)
    .map((option): InnerCommand => ({ code: optionCode(option, words, outputOf) }));
  const operand = words[end];
  if (given.some(({ name }) => name === "c") && operand !== undefined) {
    inner.push({ code: codeOf(operand, outputOf) });
  }
  return runs(inner, certain);
}

/**
 * Unwraps `su`: the words after the user are for the user's shell; `runuser -u` takes a command
 * instead.
 */
function unwrapSu(words: readonly ShellWord[], knowledge: StaticKnowledge): Unwrapping {
  const { given, rest, certain } = scanWrapper(SU, words);
  const code = given.filter(({ name }) => SU.code?.includes(name) === true);
  if (code.length > 0) {
    return runs(
      code.map((option) => ({ code: optionCode(option, words, knowledge.outputOf) })),
      certain,
    );
  }
  const user = given.find(({ name }) => name === "u" || name === "user");
  if (user !== undefined) {
    const { end } = scanOptions(valuesOf(words), SU);
    return runs(end < words.length ? [{ words: words.slice(end) }] : [], certain);
  }
  const forShell = unwrapShell(rest, knowledge);
  return { ...forShell, certain: certain && forShell.certain };
}

/** Returns the command of each action of `find` that runs one, up to its `;` or `+`. */
function unwrapExec(words: readonly ShellWord[], actions: ReadonlySet<string>): Unwrapping {
  const inner: InnerCommand[] = [];
  let command: ShellWord[] | undefined;
  for (const word of words) {
    const { value } = word;
    if (command === undefined) {
      if (value !== undefined && actions.has(value)) command = [];
    } else if (value === ";" || value === "+") {
      inner.push({ words: command });
      command = undefined;
    } else command.push(fill(word, PLACE));
  }
  if (command !== undefined) inner.push({ words: command });
  return { inner, itself: true, assignments: [], certain: true };
}

/**
 * Unwraps `parallel`: the command before `:::` runs for every argument after it; without a command,
 * every argument is a command.
 */
function unwrapParallel(words: readonly ShellWord[], { outputOf }: StaticKnowledge): Unwrapping {
  const { end, certain } = scanOptions(valuesOf(words), PARALLEL);
  const rest = words.slice(end);
  const mark = rest.findIndex(({ value }) => value !== undefined && PARALLEL_SOURCE.test(value));
  const command = mark === -1 ? rest : rest.slice(0, mark);
  const given = (mark === -1 ? [] : rest.slice(mark + 1)).map((word) => codeOf(word, outputOf));
  if (command.length === 0) {
    const inner = given.map((code) => ({ code }));
    return { inner, itself: true, assignments: [], certain: certain && inner.length > 0 };
  }
  const { code } = joined(command, outputOf);
  const inputs = given.length > 0 ? given.map(asOneWord) : [{ text: COMPUTED, complete: true }];
  return runs(
    inputs.map(({ text, complete }) => {
      const filled = code.text.replace(PARALLEL_PLACE, () => text);
      const run = filled === code.text ? `${filled} ${text}` : filled;
      return { code: { text: run, complete: code.complete && complete } };
    }),
    certain,
  );
}

/** Quotes a value as `parallel` does when it inserts it into a command. */
function asOneWord({ text, complete }: ShellCode): ShellCode {
  return { text: complete ? `'${text.replaceAll("'", "'\\''")}'` : text, complete };
}

/** Unwraps `trap`: the first word is code when a signal follows it. */
function unwrapTrap(
  [code, ...signals]: readonly ShellWord[],
  { outputOf }: StaticKnowledge,
): Unwrapping {
  if (code === undefined || signals.length === 0 || code.value === "-" || code.value === "") {
    return runs([]);
  }
  return runs([{ code: codeOf(code, outputOf) }]);
}

/** Unwraps `alias`: every `name=value` is code that runs when the name is used. */
function unwrapAlias(words: readonly ShellWord[], { outputOf }: StaticKnowledge): Unwrapping {
  const inner = words.flatMap((word): InnerCommand[] => {
    const { text, complete } = codeOf(word, outputOf);
    const [, alias, code] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    return alias === undefined || code === undefined
      ? []
      : [{ code: { text: code, complete }, alias }];
  });
  return { inner, itself: true, assignments: [], certain: true };
}

/** Finds a shell with code among the words, for programs that run the rest of their words. */
function embeddedShell(words: readonly ShellWord[]): InnerCommand[] {
  const start = words.findIndex(
    ({ value }, index) =>
      isShell(programName(value)) &&
      words.slice(index + 1).some((word) => CLUSTER_WITH_CODE.test(word.value ?? "")),
  );
  return start === -1 ? [] : [{ words: words.slice(start) }];
}
