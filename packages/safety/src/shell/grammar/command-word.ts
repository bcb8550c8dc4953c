import type { Assignment, Redirection } from "unbash";
import {
  COMPUTED,
  codeOf,
  filledWord,
  knownWord,
  plainWord,
  type ShellWord,
  type StaticOutput,
} from "./word.js";

/** Returns the string that an assignment assigns; undefined for arrays and computed values. */
export function assignedValue({ value }: Assignment): string | undefined {
  return value.type === "Word" ? plainWord(value).value : undefined;
}

/** Returns an assignment as a word, as `export` and `alias` read it. */
export function assignmentWord(assignment: Assignment, outputOf: StaticOutput): ShellWord {
  const value = assignedValue(assignment);
  if (value !== undefined) return knownWord(`${assignment.name}=${value}`);
  const code =
    assignment.value.type === "Word"
      ? codeOf(plainWord(assignment.value), outputOf).text
      : COMPUTED;
  return filledWord(`${assignment.name}=${code}`);
}

/** Returns the file name or the text of a here-document that a redirection reads or writes. */
export function redirectedWord(redirect: Redirection): ShellWord | undefined {
  if (redirect.type === "HereDoc") {
    const { text, parts } = redirect.body;
    return plainWord({ value: text, parts });
  }
  return redirect.target === undefined ? undefined : plainWord(redirect.target);
}

/** Path under which bash offers the output of a process substitution. */
const OUTPUT = "/dev/fd/63";

/** Returns the target of a redirection as a policy sees it: an open stream for `< <(…)`, whose commands are listed by themselves. */
export function redirectionTarget(redirect: Redirection): string | undefined {
  if (redirect.type === "Redirect" && redirect.operator === "<") {
    const [part, ...more] = redirect.target?.parts ?? [];
    if (part?.type === "ProcessSubstitution" && part.operator === "<" && more.length === 0) {
      return OUTPUT;
    }
  }
  return redirectedWord(redirect)?.value;
}

/** Returns whether an input redirection applies to standard input. */
export function isStandardInput({ descriptor }: Redirection): boolean {
  return (
    descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0)
  );
}
