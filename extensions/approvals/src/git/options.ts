export const NUMBER = /^\d+$/;
export const ANY = /^.*$/su;
export const COLOR = /^(?:auto|never)$/;
/** Name or format of a date, without the clock of a program. */
export const DATE = /^[\w:%/ -]+$/;
export const SORT = /^-?[\w:]+$/;
/** Format without `%G`, which checks signatures and therefore starts a program. */
const LOG_FORMAT = /^(?:(?!%[-+ ]?G)[^\0])*$/su;
/** Fields that show no content of objects and check no signatures. */
export const REF_FORMAT =
  /^(?:[^%]|%%|%\((?:HEAD|author(?:name|date)|committerdate|creatordate|objectname|refname|subject|upstream)(?::[\w=,-]+)?\))*$/su;
export const NO_PATHS = { revisions: 0, paths: "none" } as const;
export const MANY = Number.POSITIVE_INFINITY;

export const DIFF_LONG = {
  "--color": COLOR,
  "--diff-filter": /^[A-Za-z]+$/,
  "--exit-code": null,
  "--find-renames": null,
  "--ignore-all-space": null,
  "--ignore-blank-lines": null,
  "--ignore-space-change": null,
  "--minimal": null,
  "--name-only": null,
  "--name-status": null,
  "--no-color": null,
  "--no-patch": null,
  "--no-renames": null,
  "--numstat": null,
  "--patch": null,
  "--quiet": null,
  "--shortstat": null,
  "--stat": null,
  "--summary": null,
  "--unified": NUMBER,
  "--word-diff": null,
} as const;
export const DIFF_VALUES = { G: ANY, S: ANY } as const;
/** Options with an optional value, which git takes only from the rest of the same word. */
export const DIFF_WORDS = /^(?:-M|-U\d+|--word-diff=(?:plain|color|porcelain|none))$/;
export const DIFF_FORCED = ["--no-ext-diff", "--no-textconv"];

/** Options for the format of a commit. */
export const COMMIT_LONG = {
  ...DIFF_LONG,
  "--abbrev-commit": null,
  "--date": DATE,
  "--decorate": null,
  "--format": LOG_FORMAT,
  "--no-decorate": null,
  "--oneline": null,
  "--pretty": LOG_FORMAT,
} as const;
/** Options that select commits. */
export const LOG_LONG = {
  ...COMMIT_LONG,
  "--after": ANY,
  "--all": null,
  "--author": ANY,
  "--before": ANY,
  "--branches": null,
  "--cherry": null,
  "--cherry-pick": null,
  "--date-order": null,
  "--first-parent": null,
  "--follow": null,
  "--graph": null,
  "--grep": ANY,
  "--left-right": null,
  "--max-count": NUMBER,
  "--merges": null,
  "--no-merges": null,
  "--remotes": null,
  "--reverse": null,
  "--topo-order": null,
  "--since": ANY,
  "--skip": NUMBER,
  "--tags": null,
  "--until": ANY,
} as const;

/** Options of `git log` whose value may be the next word. */
export const LOG_LONG_NEXT = [
  "--after",
  "--author",
  "--before",
  "--grep",
  "--max-count",
  "--since",
  "--skip",
  "--until",
];
