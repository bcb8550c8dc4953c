/**
 * Names of programs that can run or change anything: shells, interpreters, wrappers, file tools.
 */
const ANYTHING = new Set(
  (
    "sh bash dash zsh ksh mksh fish csh tcsh ash yash busybox toybox pwsh " +
    "perl ruby node nodejs bun deno php lua luajit osascript tclsh rscript r awk gawk mawk nawk sed gsed ed ex " +
    "vi vim nvim emacs nano sqlite3 psql mysql mariadb gdb lldb jshell java ghci julia scala irb erl elixir iex tsx ts-node " +
    "npx bunx uvx pipx pnpx corepack " +
    "env sudo sudo-rs doas su pkexec run0 runuser sg xargs parallel find fd ssh scp sftp rsync " +
    "time nice ionice nohup timeout stdbuf setsid command builtin exec eval source watch script flock chroot unshare " +
    "nsenter strace ltrace valgrind screen tmux expect at batch crontab systemd-run entr tar zip unzip cpio " +
    "curl wget nc ncat netcat socat dd tee cp mv ln rm rmdir mkdir touch chmod chown chgrp install truncate patch " +
    "kill pkill killall less more man openssl mount cd"
  ).split(" "),
);
const VERSIONED = /^(?:python|pypy|perl|ruby|node|php|lua)[\d.]*$/;

/**
 * Programs whose first words name their operation, with the sequences of those words that run code
 * chosen by the command. None of these programs can be granted by its name alone.
 */
const OPEN_SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  git: [],
  npm: [],
  pnpm: "dlx exec env config create init install i add update up link".split(" "),
  yarn: "dlx exec config create init install add up upgrade link node".split(" "),
  docker: [
    "run",
    "exec",
    "compose run",
    "compose exec",
    "container run",
    "container exec",
    "plugin",
  ],
  podman: ["run", "exec", "compose run", "compose exec", "container run", "container exec"],
  nerdctl: ["run", "exec", "compose run", "compose exec"],
  "docker-compose": ["run", "exec"],
  kubectl: ["run", "exec", "debug", "cp", "plugin"],
  cargo: ["install"],
  go: ["run", "install", "generate", "tool"],
  gh: ["api", "alias", "extension", "codespace"],
  pip: ["install"],
  pip3: ["install"],
  uv: ["run", "tool", "pip", "add"],
  poetry: ["run", "add", "config"],
  pipenv: ["run", "install"],
  gem: ["install", "exec"],
  bundle: ["exec", "install", "config"],
  make: [],
  gmake: [],
  mvn: ["exec:exec", "exec:java"],
  gradle: [],
  aws: [],
  gcloud: [],
  az: [],
  terraform: [],
  helm: ["plugin"],
  systemctl: [],
};

/**
 * Programs with abbreviations or user-defined names for subcommands, so that any other word can
 * mean anything.
 */
const KNOWN_SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  git: (
    "add am apply blame branch checkout cherry-pick commit describe diff fetch grep log ls-files merge mv pull push " +
    "reflog remote reset restore rev-parse revert rm shortlog show stash status switch tag"
  ).split(" "),
  npm: (
    "run run-script test t tst start stop restart audit docs doctor explain fund list ls outdated ping prefix root " +
    "search view whoami why"
  ).split(" "),
};

/** Options of git that name a program to run, with their abbreviations. */
const GIT_RUNS = /^(?:-O|--op|--upl|--rece|--ext-|--ex(?:ec?)?(?:=|$))/;

/** Programs whose second word only names a group of subcommands. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  docker: ["compose", "container", "image", "network", "volume", "system"],
  podman: ["compose", "container", "image", "network", "volume", "system"],
  nerdctl: ["compose"],
  gh: ["pr", "issue", "run", "repo", "release", "workflow"],
  aws: ["s3", "ec2", "logs", "lambda", "iam", "ecs", "ecr"],
};

/**
 * Returns whether a command can run code that it chooses itself, so that only a grant for the exact
 * command covers it.
 * @param words - name of the program without folder, and its words
 */
export function runsAnything([name = "", ...words]: readonly string[]): boolean {
  if (ANYTHING.has(name.toLowerCase()) || VERSIONED.test(name.toLowerCase())) return true;
  const open = OPEN_SUBCOMMANDS[name];
  if (open === undefined) return false;
  const [first] = words;
  if (name === "git" && words.some((word) => GIT_RUNS.test(word))) return true;
  const known = KNOWN_SUBCOMMANDS[name];
  if (first !== undefined && known !== undefined && !known.includes(first)) return true;
  // Options, with or without a value, may be between the words.
  return open.some((sequence) => isWithin(sequence.split(" "), words));
}

/**
 * Returns whether a prefix is too wide: only a program with many operations, or an option before
 * the word that names the operation.
 * @param words - name of the program without folder, and the words of the prefix
 */
export function isTooWide(words: readonly string[]): boolean {
  const [name = "", second] = words;
  if (name === "" || runsAnything(words)) return true;
  if (OPEN_SUBCOMMANDS[name] === undefined) return false;
  return second === undefined || second.startsWith("-");
}

/**
 * Returns the maximum number of words after a program that name its operation.
 * @param words - name of the program without folder, and its words
 */
export function subcommandDepth([name = "", second = ""]: readonly string[]): number {
  if (OPEN_SUBCOMMANDS[name] === undefined) return 2;
  return GROUPS[name]?.includes(second) === true ? 2 : 1;
}

function isWithin(sequence: readonly string[], words: readonly string[]): boolean {
  let found = 0;
  for (const word of words) if (word === sequence[found]) found += 1;
  return found === sequence.length;
}
