import type { ParsedCommand, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "./command-place.js";
import type { Words } from "./parsed-arguments.js";

/** Command as the destructive rules see it. */
export interface CommandView {
  /** Name of the program without folder, in lower case. */
  readonly name: string;
  readonly words: Words;
  readonly command: SimpleCommand;
  readonly index: number;
  readonly parsed: ParsedCommand;
  readonly place: CommandPlace;
}

/** Rule for commands whose effect cannot be undone (APPR-041). */
export interface DestructiveRule {
  readonly id: string;
  /** Effect of the command, for the approver. */
  readonly reason: string;
  matches(view: CommandView): boolean | Promise<boolean>;
}

/**
 * Returns the name of a program without folder, in lower case.
 * @param program - undefined when it is computed
 */
export function nameOf(program: string | undefined): string {
  return program?.slice(program.lastIndexOf("/") + 1).toLowerCase() ?? "";
}
