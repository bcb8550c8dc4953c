import type { Range } from "../../text/range.js";
import type {
  CommandAssignment,
  CommandPosition,
  CommandRedirection,
  WrapperCommand,
} from "../grammar/parsed-command.js";
import type { ShellWord } from "../grammar/word.js";

/** A command while it is still being linked to others. */
export interface CommandDraft {
  readonly program: string | undefined;
  readonly arguments: readonly (string | undefined)[];
  readonly assignments: readonly CommandAssignment[];
  readonly redirections: readonly CommandRedirection[];
  readonly wrappers: readonly string[];
  readonly wrapperCommands: readonly WrapperCommand[];
  readonly position: CommandPosition;
  readonly background: boolean;
  readonly input: number[];
  readonly substitutions: number[];
  readonly range: Range;
}

/** What surrounds the node that is being read. */
export interface CommandContext {
  readonly depth: number;
  readonly position: CommandPosition;
  readonly wrappers: readonly string[];
  readonly wrapperCommands: readonly WrapperCommand[];
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

/** CommandContext of words, whose place in the source is known. */
export interface Placed extends CommandContext {
  readonly range: Range;
}

/** What surrounds a whole source. */
export const TOP: CommandContext = {
  depth: 0,
  position: "top",
  wrappers: [],
  wrapperCommands: [],
  background: false,
  assignments: [],
  redirections: [],
  text: undefined,
  input: [],
  range: undefined,
};

/** What stands around a command whose standard input is not the one around it. */
export function withoutInput<Around extends CommandContext>(around: Around): Around {
  const redirections = around.redirections.filter(({ operator }) => !operator.startsWith("<"));
  return { ...around, redirections, text: undefined, input: [] };
}

/**
 * What stands around the command that a wrapper runs.
 * @param around - what stands around the wrapper
 * @param name - of the wrapper, without folder
 * @param command - the wrapper as it was written
 */
export function wrapped<Around extends CommandContext>(
  around: Around,
  name: string,
  command: WrapperCommand,
): Around {
  return {
    ...around,
    wrappers: [...around.wrappers, name],
    wrapperCommands: [...around.wrapperCommands, command],
  };
}
