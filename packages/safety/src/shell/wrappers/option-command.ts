/** Finds shell code in the words of a program that runs it for some of its options. */
type CodeFinder = (words: readonly (string | undefined)[]) => string[];

const GIT_CODE =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|gitproxy|askpass)|alias\..+|pager\..+|diff\.external|sequence\.editor|credential\..*helper|gpg\..*program|.+\.(?:textconv|clean|smudge|process|driver|cmd|command|uploadpack|receivepack))=(.*)$/is;
const VIM_SHELL = /^(?:\+|--cmd=)?:?(?:silent!?\s+)?!(.*)$/s;

const FINDERS: ReadonlyMap<string, CodeFinder> = new Map<string, CodeFinder>([
  [
    "git",
    (words) => [
      ...behind(words, ["-c", "--config-env"], (value) => GIT_CODE.exec(value)?.[1]).map(
        withoutBang,
      ),
      ...behind(words, ["-x", "--exec"], whole),
      ...attached(words, ["--upload-pack=", "--receive-pack=", "--exec=", "--extcmd="]),
      ...after(words, ["bisect", "run"]),
      ...after(words, ["submodule", "foreach"]),
    ],
  ],
  [
    "tar",
    (words) => [
      ...attached(words, [
        "--checkpoint-action=exec=",
        "--to-command=",
        "--use-compress-program=",
        "--rsh-command=",
        "--info-script=",
        "--new-volume-script=",
      ]),
      ...behind(
        words,
        ["-I", "-F", "--to-command", "--use-compress-program", "--rsh-command"],
        whole,
      ),
      ...behind(words, ["--checkpoint-action"], (value) => /^exec=(.*)$/s.exec(value)?.[1]),
    ],
  ],
  [
    "rsync",
    (words) => [
      ...attached(words, ["--rsh=", "--rsync-path="]),
      ...behind(words, ["-e", "--rsh"], whole),
    ],
  ],
  ["ssh", sshOptions],
  ["scp", sshOptions],
  ["sftp", sshOptions],
  ...["vim", "vi", "nvim", "view", "ex", "gvim"].map((name): [string, CodeFinder] => [
    name,
    (words) => words.flatMap((word) => VIM_SHELL.exec(word ?? "")?.[1] ?? []),
  ]),
  [
    "man",
    (words) => [...behind(words, ["-P", "--pager"], whole), ...attached(words, ["--pager="])],
  ],
  ["sort", (words) => attached(words, ["--compress-program="])],
  ["split", (words) => attached(words, ["--filter="])],
  [
    "zip",
    (words) => [
      ...behind(words, ["-TT", "--unzip-command"], whole),
      ...attached(words, ["--unzip-command="]),
    ],
  ],
  ["tcpdump", (words) => behind(words, ["-z"], whole)],
  [
    "gdb",
    (words) =>
      behind(
        words,
        ["-ex", "--eval-command"],
        (value) => /^(?:shell\s|!)\s*(.*)$/s.exec(value)?.[1],
      ),
  ],
  ["npm", (words) => behind(words, ["-c", "--call"], whole)],
  ["npx", (words) => behind(words, ["-c", "--call"], whole)],
  ["nix-shell", (words) => behind(words, ["--run", "--command"], whole)],
]);

/**
 * Returns the shell code that a program runs because of its options, such as `tar --to-command` or
 * `git -c core.pager`.
 * @param name - name of the program
 * @param words - words after the program; undefined where computed at run time
 */
export function optionCommands(name: string, words: readonly (string | undefined)[]): string[] {
  return FINDERS.get(name)?.(words) ?? [];
}

function sshOptions(words: readonly (string | undefined)[]): string[] {
  const command = (value: string) =>
    /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+(.*)$/is.exec(value)?.[1];
  const inCluster = words.flatMap((word) => /^-o(.+)$/s.exec(word ?? "")?.[1] ?? []);
  return [...behind(words, ["-o"], command), ...inCluster.flatMap((value) => command(value) ?? [])];
}

function whole(value: string): string {
  return value;
}

/**
 * Removes a leading bang, which marks shell code; another value is the name of a program or
 * subcommand.
 */
function withoutBang(value: string): string {
  return value.replace(/^!/, "");
}

/** Returns the code in the words after some options. */
function behind(
  words: readonly (string | undefined)[],
  options: readonly string[],
  code: (value: string) => string | undefined,
): string[] {
  return words.flatMap((word, index) => {
    const value = options.some((option) => option === word) ? words[index + 1] : undefined;
    return value === undefined ? [] : (code(value) ?? []);
  });
}

/** Returns the code after the equals sign of some options. */
function attached(words: readonly (string | undefined)[], prefixes: readonly string[]): string[] {
  return words.flatMap((word) => {
    const prefix = prefixes.find((candidate) => word?.startsWith(candidate) === true);
    return prefix === undefined || word === undefined ? [] : word.slice(prefix.length);
  });
}

/** Returns all words after two given words that follow each other. */
function after(
  words: readonly (string | undefined)[],
  [first, second]: readonly [string, string],
): string[] {
  const start = words.findIndex((word, index) => word === first && words[index + 1] === second);
  return start === -1 ? [] : [words.slice(start + 2).join(" ")];
}
