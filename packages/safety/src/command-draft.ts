import type { CommandAssignment, CommandPosition, CommandRedirection } from "./parsed-command.js";
import type { Range } from "./range.js";
import type { ShellWord } from "./shell-word.js";

/** A command while it is still being linked to others. */
export interface CommandDraft {
  readonly program: string | undefined;
  readonly arguments: readonly (string | undefined)[];
  readonly assignments: readonly CommandAssignment[];
  readonly redirections: readonly CommandRedirection[];
  readonly wrappers: readonly string[];
  readonly wrapperArguments: readonly (readonly (string | undefined)[])[];
  readonly position: CommandPosition;
  readonly background: boolean;
  readonly input: number[];
  readonly substitutions: number[];
  readonly range: Range;
}

/** What surrounds the node that is being read. */
export interface Surroundings {
  readonly depth: number;
  readonly position: CommandPosition;
  readonly wrappers: readonly string[];
  readonly wrapperArguments: readonly (readonly (string | undefined)[])[];
  readonly background: boolean;
  readonly assignments: readonly CommandAssignment[];
  readonly redirections: readonly CommandRedirection[];
  /** Text that comes in on standard input. */
  readonly text: ShellWord | undefined;
  /** Commands whose output comes in on standard input. */
  readonly input: readonly number[];
  /** The range of the source that stands for everything inside code in code. */
  readonly range: Range | undefined;
}

/** Surroundings of words, whose place in the source is known. */
export interface Placed extends Surroundings {
  readonly range: Range;
}

/** What surrounds a whole source. */
export const TOP: Surroundings = {
  depth: 0,
  position: "top",
  wrappers: [],
  wrapperArguments: [],
  background: false,
  assignments: [],
  redirections: [],
  text: undefined,
  input: [],
  range: undefined,
};

/** What stands around a command whose standard input is not the one around it. */
export function withoutInput<Around extends Surroundings>(around: Around): Around {
  const redirections = around.redirections.filter(({ operator }) => !operator.startsWith("<"));
  return { ...around, redirections, text: undefined, input: [] };
}

/** What stands around the command that a wrapper runs. */
export function wrapped<Around extends Surroundings>(
  around: Around,
  wrapper: string,
  words: readonly (string | undefined)[],
): Around {
  return {
    ...around,
    wrappers: [...around.wrappers, wrapper],
    wrapperArguments: [...around.wrapperArguments, words],
  };
}
