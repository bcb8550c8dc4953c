import type { SimpleCommand } from "../grammar/parsed-command.js";
import { nameOf } from "./command-facts.js";

/** Variables from which shells, loaders, interpreters and common programs take code to run. */
const DECIDING =
  /^(?:PATH|ENV|IFS|ZDOTDIR|FPATH|SHELL|SHELLOPTS|BASHOPTS|BASH_[A-Z_]+|PROMPT_COMMAND|PS[0-4]|LD_\w+|DYLD_\w+|GCONV_PATH|OPENSSL_(?:CONF|ENGINES|MODULES)|PYTHON(?!UNBUFFERED$|DONTWRITEBYTECODE$|IOENCODING$|UTF8$|HASHSEED$)\w+|PERL5\w+|PERLLIB|RUBY\w+|LUA_\w+|PHPRC|PHP_INI_SCAN_DIR|NODE_OPTIONS|NODE_PATH|(?:NPM_CONFIG|npm_config)_\w+|CLASSPATH|_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|RUSTC(?:_\w+)?|CARGO_(?:BUILD|TARGET)_\w+|GOFLAGS|AWK(?:LIB)?PATH|TAR_OPTIONS|RSYNC_(?:RSH|CONNECT_PROG)|SSH_ASKPASS|SUDO_ASKPASS|GIT_(?!(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|TERMINAL_PROMPT$)\w+|(?:\w+_)?(?:PAGER|EDITOR)|VISUAL|BROWSER|LESS(?:OPEN|CLOSE)|MAKEFLAGS)$/;
/** Programs whose words are assignments. */
const DECLARATIONS = new Set(["export", "declare", "typeset", "readonly", "local"]);
/** Programs that evaluate the subscript of a variable that one of their words names. */
const SUBSCRIPT_PROGRAMS = new Set([...DECLARATIONS, "test", "[", "printf", "read", "unset"]);
const ASSIGNED = /^["']?([A-Za-z_]\w*)\+?(?:=|$)/;
const COMPUTED_SUBSCRIPT = /\[[\s\S]*(?:\$\(|`)/;

/**
 * Returns whether a command sets a variable that decides which code runs: with an assignment, with
 * or without a program, or with `export`, `declare` and similar, also when the name is computed.
 * @param source - text that was parsed
 */
export function setsDecidingVariable(command: SimpleCommand, source: string): boolean {
  const { assignments, program, arguments: words } = command;
  const isSet = ({ name }: { readonly name: string }) =>
    DECIDING.test(name) && !(name === "IFS" && program === "read");
  if (assignments.some(isSet)) return true;
  const name = nameOf(command);
  if (name === "printf") return words[0] === "-v" && isDeciding(words[1]);
  if (!DECLARATIONS.has(name)) return false;
  const isReference = words.some((word) => word !== undefined && /^-[A-Za-z]*n/.test(word));
  return [...words.filter((word) => word !== undefined), ...computedWords(command, source)].some(
    (word) =>
      !word.startsWith("-") &&
      (isDeciding(word) || (isReference && isDeciding(word.slice(word.indexOf("=") + 1)))),
  );
}

/**
 * Returns whether a command evaluates a subscript that runs code, for example in
 * `test -v 'a[$(ls)]'`.
 */
export function runsSubscript(command: SimpleCommand): boolean {
  const { arguments: words, assignments } = command;
  if (assignments.some(({ value }) => value !== undefined && COMPUTED_SUBSCRIPT.test(value))) {
    return true;
  }
  const name = nameOf(command);
  if (!SUBSCRIPT_PROGRAMS.has(name)) return false;
  return words.some(
    (word, index) =>
      (word === undefined && words[index - 1] === "-v") ||
      (word !== undefined && COMPUTED_SUBSCRIPT.test(word)),
  );
}

/** Returns whether a word sets a deciding variable, or one with an unusual or computed name. */
function isDeciding(word: string | undefined): boolean {
  const name = word === undefined ? undefined : ASSIGNED.exec(word)?.[1];
  return name === undefined || DECIDING.test(name);
}

/** Returns the words of a command that are computed at run time, as they were written. */
function computedWords({ arguments: words, range }: SimpleCommand, source: string): string[] {
  if (!words.includes(undefined)) return [];
  const written = source
    .slice(...range)
    .split(/\s+/)
    .slice(1)
    .filter((word) => /[$`*?~{]/.test(word));
  // Words that cannot be told apart count as computed names.
  return written.length === 0 ? [""] : written;
}
