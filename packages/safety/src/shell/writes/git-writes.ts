import { GivenWords, type Words } from "./given-words.js";
import { files, UNKNOWN_FILES, type WrittenPath } from "./written-path.js";

/** Options of git before the subcommand that have a value. */
const BEFORE = { letters: "Cc", names: ["--git-dir", "--work-tree", "--namespace", "--exec-path"] };
const UNKNOWN = [UNKNOWN_FILES];
const SETTINGS = ".git/config";

/** Returns the files that a subcommand writes. */
type GitWriter = (words: Words) => readonly WrittenPath[];

/** Many subcommands have the options of `git diff`. */
const outputOfDiff: GitWriter = (words) =>
  files(new GivenWords(words, { names: ["--output"] }).values("--output"));

const outputOf: GitWriter = (words) =>
  files(
    new GivenWords(words, { letters: "o", names: ["--output", "--output-directory"] }).values(
      "-o",
      "--output",
      "--output-directory",
    ),
  );

/** Subcommands that change files; the data of git itself does not count. */
const SUBCOMMANDS: Readonly<Record<string, GitWriter>> = {
  am: () => UNKNOWN,
  apply: (words) =>
    new GivenWords(words).has("--check", "--stat", "--numstat", "--summary") ? [] : UNKNOWN,
  archive: outputOf,
  bisect: () => UNKNOWN,
  bundle: ([action, file]) => (action === "create" ? files([file]) : []),
  checkout: checkedOut,
  "checkout-index": () => UNKNOWN,
  "cherry-pick": () => UNKNOWN,
  clone: () => UNKNOWN,
  config: writtenSettings,
  "credential-store": (words) =>
    files(new GivenWords(words, { names: ["--file"] }).values("--file")),
  diff: outputOf,
  "format-patch": outputOf,
  // A hook is a followed file that runs as code.
  hook: ([action]) => (action === "run" ? UNKNOWN : []),
  init: (words) =>
    repository(
      new GivenWords(words, {
        letters: "b",
        names: ["--template", "--separate-git-dir", "--initial-branch", "--object-format"],
      }).operands[0] ?? ".",
    ),
  "interpret-trailers": (words) => {
    const given = new GivenWords(words, { names: ["--trailer"] });
    return given.has("--in-place") ? files(given.operands) : [];
  },
  // It adds hooks to the repository and settings for the user.
  lfs: ([action]) =>
    /^(?:install|uninstall|update|track|untrack)$/.test(action ?? "")
      ? files([".git/hooks/pre-push", ".gitattributes"])
      : [],
  log: outputOf,
  maintenance: ([action]) =>
    /^(?:start|stop|register|unregister)$/.test(action ?? "") ? files(["~/.gitconfig"]) : [],
  merge: () => UNKNOWN,
  "merge-file": (words) => {
    const given = new GivenWords(words, { letters: "L" });
    return given.has("-p", "--stdout") ? [] : files(given.operands.slice(0, 1));
  },
  mv: (words) => {
    const { operands } = new GivenWords(words);
    return [{ path: operands.at(-1), sources: operands.slice(0, -1) }];
  },
  pull: () => UNKNOWN,
  "read-tree": () => UNKNOWN,
  rebase: () => UNKNOWN,
  remote: ([action]) =>
    /^(?:add|rename|remove|rm|set-\w+)$/.test(action ?? "") ? files([SETTINGS]) : [],
  reset: (words) => (new GivenWords(words).has("--hard", "--merge", "--keep") ? UNKNOWN : []),
  restore: (words) => {
    const given = new GivenWords(words, {
      letters: "s",
      names: ["--source", "--pathspec-from-file"],
    });
    if (given.has("--pathspec-from-file")) return UNKNOWN;
    const isIndex = given.has("-S", "--staged") && !given.has("-W", "--worktree");
    return isIndex ? [] : restored(given.operands);
  },
  revert: () => UNKNOWN,
  rm: (words) => {
    const given = new GivenWords(words);
    return given.has("--cached", "-n", "--dry-run") ? [] : restored(given.operands);
  },
  show: outputOf,
  "sparse-checkout": ([action]) => (action === "list" ? [] : UNKNOWN),
  stash: ([action = "push", ...rest]) =>
    /^(?:list|show|drop|clear|create|store)$/.test(action) ? outputOfDiff(rest) : UNKNOWN,
  svn: ([action]) => (/^(?:init|clone)$/.test(action ?? "") ? files([SETTINGS]) : UNKNOWN),
  submodule: ([action = "status"]) => (/^(?:status|summary)$/.test(action) ? [] : UNKNOWN),
  switch: (words) => {
    const given = new GivenWords(words, { letters: "cC" });
    return given.has("-c", "--create") && given.operands.length < 1 ? [] : UNKNOWN;
  },
  worktree: ([action]) => (/^(?:list|prune|lock|unlock)$/.test(action ?? "") ? [] : UNKNOWN),
};

/**
 * Returns the files that a call of git writes, apart from its own data.
 * @param words - words after `git`
 */
export function writtenByGit(words: Words): readonly WrittenPath[] {
  const at = subcommandIndex(words);
  if (at === -1) return [];
  const subcommand = words[at];
  if (subcommand === undefined) return UNKNOWN;
  const before = new GivenWords(words.slice(0, at), BEFORE);
  const write = Object.hasOwn(SUBCOMMANDS, subcommand) ? SUBCOMMANDS[subcommand] : outputOfDiff;
  const written = write?.(words.slice(at + 1)) ?? [];
  if (written.length === 0) return [];
  // A following setting may name programs, and another folder changes what the paths mean.
  const folders = before.values("-C", "--work-tree", "--git-dir");
  if (folders.length === 0) return written;
  const [folder] = folders;
  if (folders.length > 1 || folder === undefined) return UNKNOWN;
  return written.map(({ path, sources, ...rest }) => ({
    ...rest,
    path: path && inFolder(folder, path),
    ...(sources === undefined
      ? {}
      : { sources: sources.map((source) => source && inFolder(folder, source)) }),
  }));
}

function inFolder(folder: string, path: string): string {
  return /^[/~]/.test(path) ? path : `${folder}/${path}`;
}

function subcommandIndex(words: Words): number {
  let index = 0;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined || !word.startsWith("-")) return index;
    const hasValue = /^-[Cc]$/.test(word) || BEFORE.names.includes(word);
    index += hasValue ? 2 : 1;
  }
  return -1;
}

/** Branches contain files that are not known here; a new branch at the current commit changes none. */
function checkedOut(words: Words): readonly WrittenPath[] {
  const end = words.indexOf("--");
  if (end !== -1) return restored(words.slice(end + 1));
  const given = new GivenWords(words, { letters: "bB" });
  return given.has("-b", "-B") && given.operands.length === 0 ? [] : UNKNOWN;
}

/** A path of git may be a folder, with all tracked files in it. */
function restored(paths: Words): readonly WrittenPath[] {
  const isPlain = paths.every((path) => path !== undefined && !/^:|(?:^|\/)\.{0,2}$/.test(path));
  return isPlain ? paths.map((path) => ({ path, isFolder: true })) : UNKNOWN;
}

function writtenSettings(words: Words): readonly WrittenPath[] {
  const given = new GivenWords(words, {
    letters: "f",
    names: ["--file", "--type", "--default", "--blob", "--comment", "--value"],
  });
  if (
    given.has(
      "--get",
      "--get-all",
      "--get-regexp",
      "--get-urlmatch",
      "--get-color",
      "--get-colorbool",
      "-l",
      "--list",
    )
  )
    return [];
  const [first, ...rest] = given.operands;
  if (first === "get" || first === "list") return [];
  const isChange =
    rest.length > 0 ||
    first === "edit" ||
    given.has(
      "-e",
      "--edit",
      "--unset",
      "--unset-all",
      "--add",
      "--replace-all",
      "--remove-section",
      "--rename-section",
    );
  if (!isChange) return [];
  const named = given.values("-f", "--file");
  if (named.length > 0) return files(named);
  return files([given.has("--global") ? "~/.gitconfig" : SETTINGS]);
}

function repository(folder: string | undefined): readonly WrittenPath[] {
  return folder === undefined ? UNKNOWN : files([`${folder}/.git`]);
}
