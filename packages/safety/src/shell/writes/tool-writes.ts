import { GivenWords, type Words } from "./given-words.js";
import { files, type WrittenPath } from "./written-path.js";

type Writer = (words: Words) => readonly WrittenPath[];

const HOOKS = ".git/hooks";

/** Installs hooks of git, unless the words name another action. */
const installsHooks =
  (actions: RegExp, ...written: readonly string[]): Writer =>
  (words) =>
    actions.test(new GivenWords(words).operands[0] ?? "") ? files(written) : [];

const makesTemporary: Writer = (words) => {
  const given = new GivenWords(words, { letters: "p", names: ["--suffix"] });
  const inFolder = given.values("-p", "--tmpdir");
  const [name] = given.operands;
  // Without a folder and a template the file is in the folder of temporary files.
  if (given.operands.length === 0) return files(inFolder);
  if (given.has("-t")) return [];
  return files(
    inFolder.length === 0
      ? [name]
      : inFolder.map((folder) => folder && name && `${folder}/${name}`),
  );
};

const edits: Writer = (words) => {
  const [action, folder = "."] = words;
  return action === "edit" ? files([`${folder}/.envrc`]) : [];
};

/** Programs that write files although no word names them, or whose words name them differently from others. */
export const writtenByTool: Readonly<Record<string, Writer>> = {
  direnv: edits,
  husky: installsHooks(/^(?!uninstall$)/, ".husky", ".git/config"),
  lefthook: installsHooks(/^(?:install|uninstall|add)$/, HOOKS),
  mktemp: makesTemporary,
  overcommit: (words) =>
    files(new GivenWords(words).has("--install", "--uninstall") ? [HOOKS] : []),
  "pre-commit": installsHooks(/^(?:install|uninstall|init-templatedir|migrate-config)$/, HOOKS),
  "simple-git-hooks": () => files([HOOKS]),
};
