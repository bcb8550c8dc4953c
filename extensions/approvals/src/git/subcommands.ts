import type { ProgramTable } from "../reading/program-table.js";
import { LOOKUP_SUBCOMMANDS } from "./lookup-subcommands.js";
import {
  ANY,
  COLOR,
  COMMIT_LONG,
  DIFF_FORCED,
  DIFF_LONG,
  DIFF_VALUES,
  DIFF_WORDS,
  LOG_LONG,
  LOG_LONG_NEXT,
  MANY,
  NO_PATHS,
  NUMBER,
  REF_FORMAT,
  SORT,
} from "./options.js";

/** Subcommand of git that only reads, with the exact words that it may have. */
export interface GitSubcommand {
  /** Options; operands are described by the other fields. */
  readonly table: ProgramTable;
  /** Options that the host appends to the given ones; the last one counts. */
  readonly forced?: readonly string[];
  /** Maximum number of operands that are revisions. */
  readonly revisions: number;
  /**
   * True when revisions must be commits, because any other object, such as a private file, would be
   * shown.
   */
  readonly onlyCommits?: boolean;
  /** True when revisions may also be files and folders of a commit, such as `HEAD:src/a.ts`. */
  readonly objects?: boolean;
  /** Role of further operands as paths: patterns of git, one file, or not allowed. */
  readonly paths: "none" | "patterns" | "file";
  /**
   * Patterns that exclude private files are added: always, or when one of these options is given.
   */
  readonly leavesOut?: "always" | readonly string[];
  /** Options of which one must be given unless a revision is. */
  readonly needs?: readonly string[];
  /** Format of operands with a special form, joined by spaces. */
  readonly words?: RegExp;
  /** Options of which one must be given if such operands are. */
  readonly wordsNeed?: readonly string[];
}

/** Subcommands of git that run without approval. */
export const GIT_SUBCOMMANDS: ReadonlyMap<string, GitSubcommand> = new Map(
  Object.entries<GitSubcommand>({
    blame: {
      table: {
        flags: "efnlsw",
        values: { L: /^[^-].*$/su },
        words: /^-[CM]$/,
        long: { "--line-porcelain": null, "--porcelain": null },
        operands: "text",
      },
      revisions: 1,
      onlyCommits: true,
      paths: "file",
    },
    branch: {
      table: {
        flags: "arv",
        long: {
          "--all": null,
          "--contains": null,
          "--format": REF_FORMAT,
          "--list": null,
          "--merged": null,
          "--no-color": null,
          "--no-merged": null,
          "--remotes": null,
          "--show-current": null,
          "--sort": SORT,
          "--verbose": null,
        },
        operands: "text",
      },
      ...NO_PATHS,
      words: /^[^\0]*$/,
      wordsNeed: ["--contains", "--list", "--merged", "--no-merged"],
    },
    config: {
      table: {
        long: { "--get": null, "--get-all": null, "--local": null },
        operands: "text",
        least: 1,
      },
      ...NO_PATHS,
      // With a second word it would write.
      words: /^[A-Za-z][\w-]*\.[\w./@:-]+$/,
    },
    describe: {
      table: {
        long: {
          "--abbrev": NUMBER,
          "--all": null,
          "--always": null,
          "--exact-match": null,
          "--long": null,
          "--tags": null,
        },
        operands: "text",
      },
      revisions: 1,
      onlyCommits: true,
      paths: "none",
    },
    diff: {
      table: {
        flags: "bpuw",
        values: DIFF_VALUES,
        words: DIFF_WORDS,
        long: { ...DIFF_LONG, "--cached": null, "--check": null, "--staged": null },
        operands: "text",
      },
      forced: [...DIFF_FORCED, "--ignore-submodules=dirty"],
      revisions: 2,
      onlyCommits: true,
      paths: "patterns",
      leavesOut: "always",
    },
    grep: {
      table: {
        flags: "EFGHILPWachilnopqvwz",
        values: { A: NUMBER, B: NUMBER, C: NUMBER, e: ANY, m: NUMBER },
        long: {
          "--break": null,
          "--cached": null,
          "--color": COLOR,
          "--count": null,
          "--extended-regexp": null,
          "--files-with-matches": null,
          "--fixed-strings": null,
          "--heading": null,
          "--ignore-case": null,
          "--line-number": null,
          "--name-only": null,
          "--show-function": null,
          "--word-regexp": null,
        },
        text: { count: 1, form: ANY },
        givesText: ["-e"],
        operands: "text",
      },
      forced: ["--no-textconv", "--no-recurse-submodules"],
      revisions: MANY,
      onlyCommits: true,
      paths: "patterns",
      leavesOut: "always",
      // In the working tree it would follow a link to a folder outside.
      needs: ["--cached"],
    },
    log: {
      table: {
        flags: "pu",
        values: { ...DIFF_VALUES, n: NUMBER },
        long: LOG_LONG,
        longNext: LOG_LONG_NEXT,
        words: /^(?:-\d+|-M|-U\d+|--decorate=(?:short|full|auto|no))$/,
        operands: "text",
      },
      forced: DIFF_FORCED,
      revisions: MANY,
      onlyCommits: true,
      paths: "patterns",
      leavesOut: ["-p", "-u", "--patch", "-G", "-S", "-U", "--unified", "--word-diff"],
    },
    "ls-files": {
      table: {
        flags: "cdmostuz",
        long: {
          "--cached": null,
          "--deleted": null,
          "--exclude-standard": null,
          "--modified": null,
          "--others": null,
          "--stage": null,
          "--unmerged": null,
        },
        operands: "text",
      },
      revisions: 0,
      paths: "patterns",
      leavesOut: "always",
    },
    "ls-tree": {
      table: {
        flags: "drtlz",
        long: { "--full-tree": null, "--long": null, "--name-only": null },
        operands: "text",
        least: 1,
      },
      revisions: 1,
      paths: "none",
    },
    "merge-base": {
      table: {
        flags: "a",
        long: { "--all": null, "--is-ancestor": null, "--octopus": null },
        operands: "text",
        least: 1,
      },
      revisions: MANY,
      onlyCommits: true,
      paths: "none",
    },
    reflog: {
      table: { values: { n: NUMBER }, words: /^-\d+$/, operands: "text" },
      ...NO_PATHS,
      words: /^(?:show)?$/,
    },
    remote: {
      table: {
        flags: "v",
        long: { "--all": null, "--push": null, "--verbose": null },
        operands: "text",
      },
      ...NO_PATHS,
      words: /^(?:get-url [\w./-]+)?$/,
    },
    "rev-parse": {
      table: {
        flags: "q",
        long: {
          "--abbrev-ref": null,
          "--absolute-git-dir": null,
          "--git-common-dir": null,
          "--git-dir": null,
          "--is-bare-repository": null,
          "--is-inside-work-tree": null,
          "--quiet": null,
          "--short": null,
          "--show-cdup": null,
          "--show-prefix": null,
          "--show-toplevel": null,
          "--symbolic-full-name": null,
          "--verify": null,
        },
        words: /^--(?:short=\d+|abbrev-ref=(?:strict|loose))$/,
        operands: "text",
      },
      revisions: MANY,
      paths: "none",
    },
    "rev-list": {
      table: {
        values: { n: NUMBER },
        long: {
          "--abbrev-commit": null,
          "--all": null,
          "--author": ANY,
          "--count": null,
          "--first-parent": null,
          "--grep": ANY,
          "--left-right": null,
          "--max-count": NUMBER,
          "--merges": null,
          "--no-merges": null,
          "--oneline": null,
          "--reverse": null,
          "--since": ANY,
          "--until": ANY,
        },
        words: /^-\d+$/,
        operands: "text",
      },
      revisions: MANY,
      onlyCommits: true,
      paths: "patterns",
    },
    shortlog: {
      table: {
        flags: "ens",
        long: { "--all": null, "--email": null, "--numbered": null, "--summary": null },
        operands: "text",
      },
      revisions: MANY,
      onlyCommits: true,
      paths: "none",
    },
    show: {
      table: {
        flags: "bpsuw",
        values: DIFF_VALUES,
        long: COMMIT_LONG,
        words: /^(?:-M|-U\d+|--decorate=(?:short|full|auto|no))$/,
        operands: "text",
      },
      forced: DIFF_FORCED,
      revisions: MANY,
      onlyCommits: true,
      objects: true,
      paths: "patterns",
      leavesOut: "always",
    },
    "show-ref": {
      table: {
        flags: "ds",
        long: { "--abbrev": NUMBER, "--heads": null, "--tags": null },
        operands: "text",
        most: 0,
      },
      ...NO_PATHS,
    },
    stash: { table: { operands: "text" }, ...NO_PATHS, words: /^list$/ },
    status: {
      table: {
        flags: "bsz",
        long: {
          "--branch": null,
          "--ignored": null,
          "--long": null,
          "--porcelain": null,
          "--short": null,
          "--show-stash": null,
          "--untracked-files": null,
        },
        words:
          /^(?:-u(?:no|normal|all)?|--untracked-files=(?:no|normal|all)|--porcelain=(?:v?[12]))$/,
        operands: "text",
      },
      forced: ["--ignore-submodules=dirty"],
      revisions: 0,
      paths: "patterns",
      leavesOut: "always",
    },
    tag: {
      table: {
        flags: "l",
        long: { "--contains": null, "--list": null, "--points-at": null, "--sort": SORT },
        words: /^-n\d*$/,
        operands: "text",
      },
      ...NO_PATHS,
      words: /^[^\0]*$/,
      wordsNeed: ["-l", "--contains", "--list", "--points-at"],
    },
    ...LOOKUP_SUBCOMMANDS,
  }),
);
