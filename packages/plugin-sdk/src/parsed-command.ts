/**
 * A shell command as the host's grammar read it (D28). Whoever judges a command judges this tree,
 * so two judges never disagree about what would run.
 */
export interface ParsedCommand {
  /** The text that was parsed. */
  readonly source: string;
  /** False when the grammar could not read all of it; such a command always asks. */
  readonly complete: boolean;
  /** Every simple command that would run, in source order, wrappers already looked through. */
  readonly commands: readonly SimpleCommand[];
}

/** One program invocation inside a shell command. */
export interface SimpleCommand {
  /** Program word after quoting is resolved; undefined when it is computed at run time. */
  readonly program: string | undefined;
  /** Words after the program; undefined where a word is computed at run time. */
  readonly arguments: readonly (string | undefined)[];
  /** Assignments in front of the program. */
  readonly assignments: readonly { readonly name: string; readonly value: string | undefined }[];
  /** Redirections, for example `{ operator: ">", target: "out.txt" }`. */
  readonly redirections: readonly {
    readonly operator: string;
    readonly target: string | undefined;
  }[];
  /** Wrapper programs that stand around it, outermost first, for example `["sudo", "env"]`. */
  readonly wrappers: readonly string[];
  /** Where it stands: `top`, or inside a pipe, subshell, substitution, function or loop. */
  readonly position:
    | "top"
    | "pipe"
    | "subshell"
    | "substitution"
    | "function"
    | "loop"
    | "condition";
  /** Offsets into `source`, in UTF-16 code units. */
  readonly range: readonly [start: number, end: number];
}
