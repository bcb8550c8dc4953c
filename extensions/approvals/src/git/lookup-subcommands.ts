import { DIFF_FORCED, DIFF_LONG, MANY, NO_PATHS, NUMBER, REF_FORMAT, SORT } from "./options.js";
import type { GitSubcommand } from "./subcommand.js";

/** Subcommands with which programs look up single facts of a repository. */
export const LOOKUP_SUBCOMMANDS: Readonly<Record<string, GitSubcommand>> = {
  "cat-file": {
    table: { flags: "epst", operands: "text", least: 1 },
    revisions: 1,
    contentWith: ["-p"],
    objects: true,
    paths: "none",
  },
  "check-attr": { table: { flags: "a", operands: "text" }, revisions: 0, paths: "patterns" },
  "check-ignore": { table: { flags: "nqv", operands: "text" }, revisions: 0, paths: "patterns" },
  "count-objects": {
    table: { flags: "Hv", long: { "--human-readable": null, "--verbose": null }, operands: "text" },
    ...NO_PATHS,
  },
  "diff-tree": {
    table: {
      // Git reads no clusters here, so a letter with a value would make the next word an option.
      flags: "prtu",
      long: { ...DIFF_LONG, "--no-commit-id": null, "--root": null },
      operands: "text",
    },
    forced: DIFF_FORCED,
    revisions: 2,
    onlyCommits: true,
    paths: "patterns",
    leavesOut: "always",
  },
  "for-each-ref": {
    table: {
      long: { "--count": NUMBER, "--format": REF_FORMAT, "--sort": SORT },
      longNext: ["--format", "--sort"],
      operands: "text",
    },
    ...NO_PATHS,
    words: /^[\w./* -]*$/,
  },
  "name-rev": {
    table: { long: { "--name-only": null, "--tags": null }, operands: "text", least: 1 },
    revisions: MANY,
    onlyCommits: true,
    paths: "none",
  },
  "symbolic-ref": {
    table: { flags: "q", long: { "--quiet": null, "--short": null }, operands: "text", least: 1 },
    ...NO_PATHS,
    // With a second word it would write.
    words: /^(?:HEAD|refs\/[\w./-]+)$/,
  },
  var: {
    table: { operands: "text", least: 1, most: 1 },
    ...NO_PATHS,
    words: /^GIT_(?:(?:AUTHOR|COMMITTER)_IDENT|DEFAULT_BRANCH)$/,
  },
  worktree: {
    table: { long: { "--porcelain": null }, operands: "text" },
    ...NO_PATHS,
    words: /^list$/,
  },
};
