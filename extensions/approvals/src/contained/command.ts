import type { LiteralCommand, LiteralProgram, ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "../command-place.js";
import { nameOf } from "../destructive-rule.js";
import { isContained } from "./containment.js";

/** Command that a read-only sandbox bounds, so that it runs there without approval (APPR-261). */
export interface ContainedCommand {
  /** Command with resolved programs, without a shell; undefined when a shell runs it as shown. */
  readonly command?: LiteralCommand;
  /** Reason in one sentence, for display. */
  readonly reason: string;
}

const REASON = "it only reads the workspace, in the read-only sandbox";

/**
 * Returns how a command that no table covers runs where a read-only sandbox is active; undefined when it needs approval
 * there too. Git runs with the words of its table only and not through other programs, because the data of a repository
 * contains earlier versions of private files; the sandbox hides that data from all other programs.
 * @param parsed - command of the call
 * @param place - place where it would run
 * @param bounded - its programs as they run without a shell; undefined when they cannot
 */
export async function containedCommand(
  parsed: ParsedCommand,
  place: CommandPlace,
  bounded: LiteralCommand | undefined,
): Promise<ContainedCommand | undefined> {
  if (!(await isContained(parsed, place, bounded !== undefined))) return undefined;
  return bounded === undefined ? { reason: REASON } : { command: bounded, reason: REASON };
}

/**
 * Returns whether the sandbox bounds a literal program that its table does not cover.
 * @param program - program with its words
 */
export function isBoundedByWords({ program, redirections }: LiteralProgram): boolean {
  if (nameOf(program) === "git") return false;
  return redirections.every(({ operator, target }) => operator === ">&" || target === "/dev/null");
}
