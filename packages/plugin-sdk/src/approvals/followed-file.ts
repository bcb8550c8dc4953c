import { FOLLOWED_FILES } from "./followed-files.js";
import type { FollowedBy } from "./followed-group.js";

/** File or folder that programs follow as code, settings or instructions. */
export interface FollowedFile {
  readonly by: FollowedBy;
  /** Row of the table that matched, for example `.git/` or `AGENTS.md`. */
  readonly pattern: string;
}

interface Row extends FollowedFile {
  readonly expression: RegExp;
}

const ROWS: readonly Row[] = FOLLOWED_FILES.flatMap(({ by, patterns }) =>
  patterns.map((pattern) => ({ by, pattern, expression: expressionOf(pattern) })),
);

/** Everything that matches, so that most paths cost one test. */
const ANY = new RegExp(ROWS.map(({ expression }) => expression.source).join("|"));

/** Rows that name one entry, for {@link followedNames}. */
const NAMES = ROWS.map(({ pattern }) => pattern.replace(/\/$/, "")).filter(
  (name) => !name.includes("*"),
);

/**
 * Returns the row of the table of followed files that a path matches. Its spelling decides: letter case, Unicode forms,
 * invisible characters, `.` and `..` do not matter, and neither do the endings that Windows ignores. The caller resolves
 * links first, or tests both spellings.
 * @param path - path of a file or folder, absolute or relative, with slashes of either kind
 * @returns undefined when no program follows the file
 */
export function followedFile(path: string): FollowedFile | undefined {
  const folded = foldedPath(path);
  if (!ANY.test(folded)) return undefined;
  const row = ROWS.find(({ expression }) => expression.test(folded));
  return row && { by: row.by, pattern: row.pattern };
}

/**
 * Returns the paths of a folder that the table names without a pattern, for callers that look for links to other files or
 * make the paths unwritable. They need not exist.
 */
export function followedNames(): readonly string[] {
  return NAMES;
}

function expressionOf(pattern: string): RegExp {
  const isFolder = pattern.endsWith("/");
  const name = isFolder ? pattern.slice(0, -1) : pattern;
  const words = name.toLowerCase().replace(/[.~]/g, "\\$&").replaceAll("*", "[^/]*");
  return new RegExp(`/${words}${isFolder ? "(?:/|$)" : "$"}`);
}

/** Characters that file systems drop or that are not visible in a name. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

function foldedPath(path: string): string {
  const parts: string[] = [];
  const plain = path.normalize("NFKC").replace(IGNORED, "").toLowerCase();
  for (const part of plain.split(/[/\\]/)) {
    // Windows ignores dots and spaces at the end of a name, and a stream behind a colon.
    const name = part === "." || part === ".." ? part : part.replace(/(?<=.)(?::.*|[. ]+)$/, "");
    if (name === "..") parts.pop();
    else if (name !== "." && name !== "") parts.push(name);
  }
  return `/${parts.join("/")}`;
}
