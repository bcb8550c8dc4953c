import type { ParsedCommand, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "./command-place.js";
import type { Words } from "./parsed-arguments.js";

/** A command as the rules of this list see it. */
export interface CommandView {
  /** Of the program, without folder, in lower case. */
  readonly name: string;
  readonly words: Words;
  readonly command: SimpleCommand;
  readonly index: number;
  readonly parsed: ParsedCommand;
  readonly place: CommandPlace;
}

/** Something that cannot be taken back (APPR-041). */
export interface DestructiveRule {
  readonly id: string;
  /** What it does, for the person who is asked. */
  readonly reason: string;
  matches(view: CommandView): boolean | Promise<boolean>;
}

/**
 * The name of a program without folder, in lower case.
 * @param program - undefined when it is computed
 */
export function nameOf(program: string | undefined): string {
  return program?.slice(program.lastIndexOf("/") + 1).toLowerCase() ?? "";
}
