import { GivenWords, type Words } from "./given-words.js";
import { files, UNKNOWN_FILES, type WrittenPath } from "./written-path.js";

type Writer = (words: Words) => readonly WrittenPath[];

const UNKNOWN = [UNKNOWN_FILES];
const PROGRAMS = files(["node_modules/.bin"]);
/** `npm install`, `npm ci` and the commands that change what is installed, with their aliases and accepted misspellings. */
const INSTALLS =
  /^(?:i|in(?:s(?:t(?:a(?:l(?:l)?)?)?)?)?|isnt(?:a(?:l(?:l)?)?)?|add|ci|ic|clean-install|install-(?:clean|test|ci-test)|isntall-clean|cit|it|sit|up|update|upgrade|udpate|uninstall|un|unlink|r|rm|remove|link|ln|dedupe|ddp|prune|rebuild|rb|deploy|unplug)$/;
/** Initialisers run a package, and the scripts of a manifest run at the next installation. */
const INITIALISES = /^(?:init|innit|create|set-script|setup|completions)$/;
const NODE_OPTIONS = {
  letters: "Cw",
  names: ["--prefix", "--dir", "--cwd", "--workspace", "--location"],
};
/** Options that install for the user or in another folder. */
const ELSEWHERE = ["-g", "--global", "-C", "--prefix", "--dir", "--cwd", "--location"];

/** Subcommands whose files are followed, or that run code of packages, which may write any file. */
const byAction =
  (actions: RegExp, written: readonly WrittenPath[] = UNKNOWN): Writer =>
  (words) =>
    actions.test(new GivenWords(words).operands[0] ?? "") ? written : [];

const installsNode: Writer = (words) => {
  const given = new GivenWords(words, NODE_OPTIONS);
  const [action = "", verb = ""] = given.operands;
  if (given.has("--dry-run")) return [];
  const isChange =
    INITIALISES.test(action) || (action === "pkg" && /^(?:set|delete|fix)$/.test(verb));
  if (isChange) return UNKNOWN;
  const isInstall =
    INSTALLS.test(action) || (action === "audit" && (verb === "fix" || given.has("--fix")));
  if (!isInstall) return [];
  return given.has(...ELSEWHERE) ? UNKNOWN : PROGRAMS;
};

const installsYarn: Writer = (words) => {
  const [action] = new GivenWords(words, NODE_OPTIONS).operands;
  const isAsked = words.some((word) => /^(?:-v|--version|-h|--help)$/.test(word ?? ""));
  // Without a subcommand it installs.
  if (action === undefined) return isAsked ? [] : PROGRAMS;
  if (action === "set" || action === "plugin") return files([".yarn/releases"]);
  return action === "global" ? UNKNOWN : installsNode(words);
};

const installsPython: Writer = (words) => {
  const { operands } = new GivenWords(words);
  const [action = "", verb = ""] = operands;
  const isGroup = /^(?:pip|tool|python|self|env)$/.test(action);
  const changes =
    /^(?:install|uninstall|sync|add|remove|update|upgrade|develop|venv|inject|reinstall|create|use)(?:-all)?$/;
  return changes.test(isGroup ? verb : action) ? UNKNOWN : [];
};

/** Programs of Cargo are in its folder, and a new package is a repository. */
const installsCargo: Writer = (words) => {
  const given = new GivenWords(words, { names: ["--vcs", "--name", "--edition"] });
  const [action, folder = "."] = given.operands;
  if (action === "install" || action === "uninstall") return files(["~/.cargo/bin"]);
  if (action === "generate") return UNKNOWN;
  if (action !== "new" && action !== "init") return [];
  return given.values("--vcs").includes("none") ? [] : files([`${folder}/.git`]);
};

const installsGems: Writer = (words) => {
  const [action = "", verb] = new GivenWords(words).operands;
  const isSetting = action === "config" && verb !== undefined && !/^(?:get|list)$/.test(verb);
  return isSetting || /^(?:install|i|update|add|remove|binstubs|plugin)$/.test(action)
    ? files([".bundle/config"])
    : [];
};

/** Another file than a makefile is read as recipes, and words can be recipes. */
const makes: Writer = (words) => {
  const given = new GivenWords(words, {
    letters: "fCIjloWE",
    names: ["--file", "--makefile", "--directory", "--include-dir", "--jobs", "--eval"],
  });
  const named = given.values("-f", "--file", "--makefile");
  const isOther = named.some((file) => file === undefined || !MAKEFILE.test(file));
  return isOther || given.has("-E", "--eval") ? UNKNOWN : [];
};
const MAKEFILE = /(?:^|\/)[^/]*(?:makefile[^/]*|\.mk|\.make)$/i;

const COMPOSER =
  /^(?:install|i|update|u|upgrade|require|r|remove|rm|reinstall|global|create-project)$/;
const CONDA = /^(?:install|create|update|upgrade|remove|uninstall|init)$/;

/** Package managers, and programs that run recipes: they write files that no word names. */
export const writtenByPackages: Readonly<Record<string, Writer>> = {
  npm: installsNode,
  pnpm: installsNode,
  bun: installsNode,
  yarn: installsYarn,
  pip: installsPython,
  pip3: installsPython,
  pipx: installsPython,
  pipenv: installsPython,
  pdm: installsPython,
  poetry: installsPython,
  rye: installsPython,
  uv: installsPython,
  conda: byAction(CONDA),
  mamba: byAction(CONDA),
  cargo: installsCargo,
  go: byAction(/^install$/),
  gem: byAction(/^(?:install|i|uninstall|update|pristine)$/),
  bundle: installsGems,
  bundler: installsGems,
  composer: byAction(COMPOSER, files(["vendor/bin"])),
  deno: byAction(/^(?:install|i|uninstall)$/),
  make: makes,
  gmake: makes,
};
