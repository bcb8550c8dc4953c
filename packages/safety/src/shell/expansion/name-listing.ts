import { sensitivePath } from "../../inspection/sensitive-path.js";
import type { LiteralProgram } from "../literal/literal-command.js";

const GREP = /^(?:e|f)?grep$/;
/** Programs that pass on lines as they are. */
const FILTERS = new Set(["head", "tail", "sort", "uniq", "grep", "egrep", "fgrep"]);
const LIST_OF_RG =
  /^(?:--files(?:-with-matches|-without-match)?|-[FHIiNnPSUsvwxup0]*l[FHIiNnPSUsvwxup0]*)$/;
const LIST_OF_GREP = /^(?:--files-with(?:out)?-match(?:es)?|-[a-zA-Z]*[lL][a-zA-Z]*)$/;
const RECURSIVE = /^(?:--recursive|-[a-zA-Z]*r[a-zA-Z]*)$/;

/**
 * Returns whether programs that are connected by pipes print names of files of the workspace, from which private files are left
 * out: what a search or git lists, and lines chosen from it.
 * @param programs - programs before the one that gets the names
 */
export function printNames([first, ...filters]: readonly LiteralProgram[]): boolean {
  if (first === undefined || first.arguments.some(namesHidden)) return false;
  return listsFiles(first) && filters.every(passesLines);
}

function listsFiles({ program, arguments: words }: LiteralProgram): boolean {
  if (program === "rg") return words.some((word) => LIST_OF_RG.test(word));
  if (GREP.test(program)) {
    return (
      words.some((word) => LIST_OF_GREP.test(word)) && words.some((word) => RECURSIVE.test(word))
    );
  }
  if (program !== "git") return false;
  const [subcommand, ...options] = words.filter((word) => word !== "--no-pager");
  switch (subcommand) {
    case "ls-files":
      return !options.some((word) => /^(?:-[a-z]*[st][a-z]*|--(?:stage|unmerged))$/.test(word));
    case "grep":
      return options.some((word) =>
        /^(?:-[a-zA-Z]*l[a-zA-Z]*|--files-with-matches|--name-only)$/.test(word),
      );
    case "diff":
      return options.includes("--name-only");
    default:
      return false;
  }
}

/** Returns whether a word names hidden or private files, which a list should not show. */
function namesHidden(word: string): boolean {
  const path = word.replace(/^(?:--i?glob=|--include=|-g)?!?/, "");
  return /(?:^|[/{,])\.[A-Za-z[*?]/.test(path) || sensitivePath(path) !== undefined;
}

function passesLines({ program, arguments: words }: LiteralProgram): boolean {
  if (program === "tr") return words[0] === "\\n" && words[1] === "\\0" && words.length === 2;
  return (
    FILTERS.has(program) &&
    !words.some(
      (word) => /^-[a-zA-Z]*[conb]/.test(word) && program !== "head" && program !== "tail",
    )
  );
}
