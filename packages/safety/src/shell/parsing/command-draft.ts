import type { Range } from "../../text/range.js";
import type {
  CommandAssignment,
  CommandPosition,
  CommandRedirection,
  WrapperCommand,
} from "../grammar/parsed-command.js";
import type { ShellWord } from "../grammar/word.js";

/** Command that is not completely linked to others yet. */
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

/** Context of the node that is being read. */
export interface CommandContext {
  readonly depth: number;
  readonly position: CommandPosition;
  readonly wrappers: readonly string[];
  readonly wrapperCommands: readonly WrapperCommand[];
  readonly background: boolean;
  readonly assignments: readonly CommandAssignment[];
  readonly redirections: readonly CommandRedirection[];
  /** Text on standard input. */
  readonly text: ShellWord | undefined;
  /** Commands whose output is on standard input. */
  readonly input: readonly number[];
  /** Range of the source that represents everything inside nested code. */
  readonly range: Range | undefined;
}

/** Context of words whose range in the source is known. */
export interface Placed extends CommandContext {
  readonly range: Range;
}

/** Context of a complete source. */
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

/** Returns the context of a command whose standard input differs from the one around it. */
export function withoutInput<Around extends CommandContext>(around: Around): Around {
  const redirections = around.redirections.filter(({ operator }) => !operator.startsWith("<"));
  return { ...around, redirections, text: undefined, input: [] };
}

/**
 * Returns the context of the command that a wrapper runs.
 * @param around - context of the wrapper
 * @param name - name of the wrapper, without folder
 * @param command - wrapper as it was written
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
