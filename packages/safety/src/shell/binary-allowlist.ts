import type { ParsedCommand } from "./grammar/parsed-command.js";
import { nameOf } from "./parsing/command-facts.js";
import { runsSubscript, setsDecidingVariable } from "./parsing/deciding-variable.js";

/** Programs that an agent commonly needs to work on a project (SAFE-048). */
export const DEFAULT_BINARIES: readonly string[] = [
  ..."awk base64 basename bash cat chmod cksum clear cmp column comm cp curl cut date dd df diff dirname du".split(
    " ",
  ),
  ..."echo env expr false file find fmt fold free git grep gunzip gzip head hostname iconv id jq join kill".split(
    " ",
  ),
  ..."less ln ls make md5sum mkdir mktemp more mv nl node nproc npm npx od paste patch pgrep pip pip3 pnpm".split(
    " ",
  ),
  ..."printenv printf ps pwd python python3 readlink realpath rg rm rmdir rsync rustc cargo go sed seq sh".split(
    " ",
  ),
  ..."sha1sum sha256sum sleep sort split stat strings tac tail tar tee test time timeout touch tr tree true".split(
    " ",
  ),
  ..."truncate tsc type uname uniq unzip uptime wc wget which whoami xargs xxd yarn yq zip cd export".split(
    " ",
  ),
];

const SYSTEM_FOLDER = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/[^/]+$/;

/**
 * Returns whether every program of a command is on a list, including the programs behind wrappers
 * (SAFE-048). A path is accepted only in the folders of the system; a computed program is never on
 * the list. Neither is a command that sets a variable which decides which code runs, or that runs
 * the subscript of a variable.
 * @param parsed - result of `parseCommand`
 * @param allowed - names of programs
 */
export function usesOnlyBinaries(
  { source, complete, commands }: ParsedCommand,
  allowed: readonly string[] = DEFAULT_BINARIES,
): boolean {
  const names = new Set(allowed);
  return (
    complete &&
    commands.every((command) => {
      const { program } = command;
      if (program === undefined || setsDecidingVariable(command, source)) return false;
      if (runsSubscript(command)) return false;
      if (program === "") return true;
      return names.has(nameOf(command)) && (!program.includes("/") || SYSTEM_FOLDER.test(program));
    })
  );
}
