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

/** The text that an assignment gives; undefined for arrays and what is computed. */
export function assignedValue({ value }: Assignment): string | undefined {
  return value.type === "Word" ? plainWord(value).value : undefined;
}

/** An assignment as a word, as `export` and `alias` take it. */
export function assignmentWord(assignment: Assignment, outputOf: StaticOutput): ShellWord {
  const value = assignedValue(assignment);
  if (value !== undefined) return knownWord(`${assignment.name}=${value}`);
  const code =
    assignment.value.type === "Word"
      ? codeOf(plainWord(assignment.value), outputOf).text
      : COMPUTED;
  return filledWord(`${assignment.name}=${code}`);
}

/** What a redirection reads or writes: a file name, or the text of a here-document. */
export function redirectedWord(redirect: Redirection): ShellWord | undefined {
  if (redirect.type === "HereDoc") {
    const { text, parts } = redirect.body;
    return plainWord({ value: text, parts });
  }
  return redirect.target === undefined ? undefined : plainWord(redirect.target);
}

/** Whether a redirection for reading is one of standard input. */
export function isStandardInput({ descriptor }: Redirection): boolean {
  return (
    descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0)
  );
}
