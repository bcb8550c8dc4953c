import type { GrantReach } from "@openclaw/plugin-sdk/approvals";
import { GRANTED_SUBCOMMANDS } from "./git/granted-subcommands.js";
import { readArguments } from "./reading/program-table.js";
import { TABLED_PROGRAMS } from "./reading/reading-program.js";

/** Words of a grant that names an operation of git: the program and its subcommand. */
const SUBCOMMAND_WORDS = 2;

/**
 * Returns how far a grant for a program can reach beyond the exact command (APPR-021). A program
 * with a table never gets further than the table, because each of its other options could name a
 * program to run or a file to write.
 * @param name - name of the program without folder
 * @param words - words after the program
 */
export function grantReach(name: string, words: readonly string[]): GrantReach {
  if (name !== "git") return TABLED_PROGRAMS.includes(name) ? "exact" : "sandbox";
  const [subcommand = "", ...rest] = words;
  const table = GRANTED_SUBCOMMANDS.get(subcommand);
  if (table === undefined) return "exact";
  return "unknown" in readArguments(table, rest) ? "exact" : SUBCOMMAND_WORDS;
}
