import { writtenByExtraction } from "./archive-writes.js";
import { writtenByDownload } from "./download-writes.js";
import { writtenByFind } from "./find-writes.js";
import { writtenByGit } from "./git-writes.js";
import { GivenWords, type ValueOptions, type Words } from "./given-words.js";
import { writtenByLanguage } from "./language-writes.js";
import { writtenByPackages } from "./package-writes.js";
import { writtenByTool } from "./tool-writes.js";
import { files, UNKNOWN_FILES, type WrittenPath } from "./written-path.js";

/** Returns the files that a program writes. */
export type Writer = (words: Words, name: string) => readonly WrittenPath[];

const TARGET: ValueOptions = {
  letters: "tSgmoZB",
  names: ["--target-directory", "--suffix", "--mode", "--owner", "--group"],
};
const UNKNOWN = [UNKNOWN_FILES];

/** Every operand is a file that the program writes. */
function operands(takes: ValueOptions = {}, from = 0): Writer {
  return (words) => files(new GivenWords(words, takes).operands.slice(from));
}

/** With some options every operand is written in place. */
function inPlace(wanted: readonly string[], takes: ValueOptions = {}, from = 0): Writer {
  return (words) => {
    const given = new GivenWords(words, takes);
    return given.has(...wanted) ? files(given.operands.slice(from)) : [];
  };
}

/** The values of some options are written. */
function outputs(letters: string, ...names: readonly string[]): Writer {
  return (words) => {
    const given = new GivenWords(words, { letters, names });
    return files(given.values(...[...letters].map((letter) => `-${letter}`), ...names));
  };
}

/** The operand at a position is written. */
function operandAt(position: number, takes: ValueOptions = {}): Writer {
  return (words) => {
    const found = new GivenWords(words, takes).operands;
    return position < found.length || position < 0 ? files(found.slice(position).slice(0, 1)) : [];
  };
}

function all(...writers: readonly (Writer | undefined)[]): Writer {
  return (words, name) => writers.flatMap((write) => write?.(words, name) ?? []);
}

const copies: Writer = (words, name) => {
  const given = new GivenWords(words, TARGET);
  const [target] = given.values("-t", "--target-directory");
  const isInFolder = given.has("-t", "--target-directory");
  const [sources, path] = isInFolder
    ? [given.operands, target]
    : [given.operands.slice(0, -1), given.operands.at(-1)];
  if (name.endsWith("install") && given.has("-d", "--directory")) return files(given.operands);
  // `ln -s file` creates the link in the current folder.
  if (!isInFolder && given.operands.length === 1) {
    return name.endsWith("ln") ? [{ path: ".", sources: given.operands, isFolder: true }] : [];
  }
  // The folders of its sources are created in the target.
  if (name.endsWith("cp") && given.has("--parents")) {
    return files(sources.map((source) => path && source && `${path}/${source}`));
  }
  const written: WrittenPath = given.has("-T", "--no-target-directory")
    ? { path }
    : { path, sources, ...(isInFolder ? { isFolder: true as const } : {}) };
  // A file that is renamed away changes, and so does one that is written through a new link.
  const isSource =
    /mv$|ln$|^link$/.test(name) || given.has("-l", "--link", "-s", "--symbolic-link");
  return isSource ? [written, ...files(sources)] : [written];
};

const synchronises: Writer = (words) => {
  const given = new GivenWords(words, {
    letters: "efBTM",
    names: [
      "--rsh",
      "--exclude",
      "--include",
      "--filter",
      "--files-from",
      "--log-file",
      "--backup-dir",
      "--suffix",
      "--max-size",
      "--min-size",
      "--chmod",
      "--chown",
      "--temp-dir",
      "--partial-dir",
      "--write-batch",
      "--only-write-batch",
      "--read-batch",
    ],
  });
  const path = given.operands.at(-1);
  const sources = given.operands.slice(0, -1);
  const logs = [
    ...files(given.values("--log-file", "--write-batch", "--only-write-batch")),
    ...files(given.values("-T", "--backup-dir", "--partial-dir", "--temp-dir")),
  ];
  if (given.has("-n", "--dry-run", "--list-only") || sources.length === 0) return logs;
  if (path !== undefined && isRemote(path)) return logs;
  const isUnread =
    given.has("--files-from") || sources.some((source) => source === undefined || isRemote(source));
  if (!isUnread && given.has("-R", "--relative")) {
    return [...logs, ...files(sources.map((source) => path && source && `${path}/${source}`))];
  }
  return [...logs, ...(isUnread ? UNKNOWN : [{ path, sources }])];
};

function isRemote(path: string): boolean {
  return /^[^/]*:/.test(path);
}

/** A command `w` of a script for sed names a file up to the end of the line. */
const SED_FILE = /(?:^|[\s;{}/|,#\w$!])w\s*([^\n;}]+)/gi;

const edits: Writer = (words) => {
  const given = new GivenWords(words, {
    letters: "efl",
    names: ["--expression", "--file", "--line-length"],
  });
  const scripts = given.values("-e", "--expression");
  const isGiven = given.has("-e", "--expression", "-f", "--file");
  const named = [...scripts, ...(isGiven ? [] : given.operands.slice(0, 1))].flatMap((script) =>
    Array.from(
      (script ?? "").matchAll(SED_FILE),
      ([, file = ""]): WrittenPath => ({ path: file.trim(), isGuess: true }),
    ),
  );
  // Its suffix is attached, so that a cluster after `-i` is not one.
  const isInPlace = words.some((word) => /^-[a-zA-Z]*i|^-I|^--i/.test(word ?? ""));
  return isInPlace
    ? [...named, ...files(isGiven ? given.operands : given.operands.slice(1))]
    : named;
};

/** Commands of an editor may name files that it writes. */
const opens: Writer = (words) => {
  const given = new GivenWords(words, { letters: "cS", names: ["--cmd"] });
  const named = given.values("-c", "--cmd").flatMap((text) => (text ?? "").split(/[\s!>]+/));
  const run = words.filter((word) => word?.startsWith("+")).flatMap((word) => word?.split(/\s+/));
  const guessed = [...named, ...run].filter((word) => word !== undefined && word !== "");
  return [
    ...files(given.operands),
    ...guessed.map((path): WrittenPath => ({ path, isGuess: true })),
  ];
};

/** Names of files start with a prefix, and how they end is known only at run time. */
function numbers(prefixes: (given: GivenWords) => Words, letters: string): Writer {
  return (words) => {
    const given = new GivenWords(words, {
      letters,
      names: ["--additional-suffix", "--suffix-length", "--lines", "--bytes", "--number"],
    });
    return prefixes(given).flatMap((prefix): readonly WrittenPath[] => {
      const name = prefix?.slice(prefix.lastIndexOf("/") + 1);
      const isPlain = name !== undefined && /^[a-z\d]/.test(name);
      return isPlain ? files([prefix]) : UNKNOWN;
    });
  };
}

const patches: Writer = (words) => {
  const given = new GivenWords(words, {
    letters: "pidorBFgVYzDx",
    names: ["--input", "--directory", "--output", "--reject-file", "--strip"],
  });
  const named = files(given.values("-o", "--output", "-r", "--reject-file"));
  if (given.has("-o", "--output")) return named;
  if (given.has("--dry-run")) return [];
  const [original] = given.operands;
  return given.operands.length > 0 ? [...named, ...files([original])] : UNKNOWN;
};

const configures: Writer = (words, name) => {
  const { operands: found } = new GivenWords(words);
  const [first, second] = found;
  if (first === "set" && name === "npm") return files(["~/.npmrc"]);
  if (!/^(?:config|c)$/.test(first ?? "") || !/^(?:set|delete|unset|edit|fix)$/.test(second ?? ""))
    return [];
  if (name.startsWith("pip")) return files(["pip.conf"]);
  return files([name === "yarn" ? ".yarnrc.yml" : "~/.npmrc"]);
};

const copiesData: Writer = (words) =>
  words.flatMap((word): readonly WrittenPath[] => {
    if (word === undefined) return UNKNOWN;
    return word.startsWith("of=") ? [{ path: word.slice("of=".length) }] : [];
  });

const PIP_OUTPUTS = outputs("t", "--target", "--prefix", "--root");

/** Programs that write files of their words; those with names of the GNU variants too. */
export const WRITERS: ReadonlyMap<string, Writer> = new Map(
  Object.entries<Writer>({
    chmod: operands({}, 1),
    cp: copies,
    install: copies,
    link: copies,
    ln: copies,
    mv: copies,
    rsync: synchronises,
    scp: synchronises,
    csplit: numbers((given) => given.values("-f", "--prefix"), "fbn"),
    dd: copiesData,
    dos2unix: operands(),
    unix2dos: operands(),
    ed: operands(),
    ex: opens,
    vi: opens,
    vim: opens,
    nvim: opens,
    view: opens,
    less: outputs("oO", "--log-file", "--LOG-FILE"),
    fallocate: operands({ letters: "lop" }),
    find: writtenByFind,
    git: writtenByGit,
    mkdir: operands({ letters: "m", names: ["--mode"] }),
    mkfifo: operands({ letters: "mZ" }),
    mknod: operandAt(0, { letters: "mZ" }),
    patch: patches,
    ...writtenByPackages,
    pip: all(configures, PIP_OUTPUTS, writtenByPackages.pip),
    pip3: all(configures, PIP_OUTPUTS, writtenByPackages.pip3),
    npm: all(configures, writtenByPackages.npm),
    pnpm: all(configures, writtenByPackages.pnpm),
    yarn: all(configures, writtenByPackages.yarn),
    // A followed file that is gone is not followed any more.
    rm: operands(),
    rmdir: operands(),
    shred: operands({ letters: "ns", names: ["--iterations", "--size"] }),
    unlink: operands(),
    rename: () => UNKNOWN,
    prename: () => UNKNOWN,
    mmv: () => UNKNOWN,
    script: operands({ letters: "cEoOIBTm" }),
    sed: edits,
    shuf: outputs("o", "--output"),
    sort: outputs("o", "--output"),
    split: numbers(({ operands: found }) => found.slice(1), "abClnt"),
    sponge: operands(),
    tee: operands(),
    touch: operands({ letters: "dtr", names: ["--date", "--reference", "--time"] }),
    truncate: operands({ letters: "sr", names: ["--size", "--reference"] }),
    tree: outputs("o"),
    uniq: operandAt(1, { letters: "fsw" }),
    xxd: operandAt(1, { letters: "cglosn" }),
    yq: inPlace(["-i", "--inplace", "--in-place"], {}, 1),
    time: outputs("o", "--output"),
    strace: outputs("o", "--output"),
    ltrace: outputs("o", "--output"),
    iconv: outputs("o", "--output"),
    diff: outputs("", "--output"),
    gpg: all(outputs("o", "--output")),
    ...writtenByTool,
    ...writtenByExtraction,
    ...writtenByDownload,
    ...writtenByLanguage,
  }),
);
