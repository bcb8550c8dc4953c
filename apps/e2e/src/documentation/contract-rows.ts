import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Requirement } from "./requirements.js";

/** Rows of the contract, relative to the root of the repository. */
export const ROWS_FILE = "docs/requirements/rows.json";

/** Accepted differences between the contract and the repository, relative to the root of the repository. */
const DIFFERENCES_FILE = "docs/requirements/differences.json";

/** Pages of a contract that have no rows of requirements. */
const OTHER_PAGES = new Set(["README.md", "decisions.md"]);
/** Folders of sources, tests and guides, in which the names of the contract are. */
const SEARCHED = ["packages", "apps", "extensions", "docs", "deployment", "scripts"];
const SEARCHED_FILES = /\.(?:ts|tsx|mjs|cjs|md|json|ya?ml)$/;
/** Files that repeat the contract itself. */
const REPEATED = /^docs\/(?:\w+\/)?(?:contract\.md|requirements\/(?:rows|differences)\.json)$/;

/** Names that each row of the contract writes as code, by the ID of the row. */
type ContractRows = Readonly<Record<string, readonly string[]>>;

/** Accepted differences, each with its reason. */
interface Differences {
  /** Rows without a requirement of the same ID, or all rows of an area (`UI-*`): what they wait for, or took their place. */
  readonly withoutSentence: Readonly<Record<string, string>>;
  /** Names that the repository does not have, by row: what it has instead. */
  readonly names: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Differences between a contract and the repository. */
interface Comparison {
  readonly withoutSentence: readonly string[];
  readonly names: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Returns the differences without a reason, a line each.
 * @param found - differences
 * @param accepted - reasons
 */
export function unexplained(found: Comparison, accepted: Differences): readonly string[] {
  const isLater = (id: string) =>
    id in accepted.withoutSentence || `${id.split("-")[0]}-*` in accepted.withoutSentence;
  return [
    ...found.withoutSentence
      .filter((id) => !isLater(id))
      .map((id) => `${id}: no requirement has this ID`),
    ...found.names
      .filter(({ id, name }) => accepted.names[id]?.[name] === undefined)
      .map(({ id, name }) => `${id}: nothing has the name ${name}`),
  ];
}

/**
 * Returns the reasons that explain nothing any more, a line each.
 * @param found - differences
 * @param accepted - reasons
 */
export function idleReasons(found: Comparison, accepted: Differences): readonly string[] {
  const areas = found.withoutSentence.map((id) => `${id.split("-")[0]}-*`);
  const without = new Set([...found.withoutSentence, ...areas]);
  const names = new Set(found.names.map(({ id, name }) => `${id} ${name}`));
  return [
    ...Object.keys(accepted.withoutSentence).filter((id) => !without.has(id)),
    ...Object.entries(accepted.names).flatMap(([id, reasons]) =>
      Object.keys(reasons)
        .map((name) => `${id} ${name}`)
        .filter((name) => !names.has(name)),
    ),
  ];
}

/**
 * Reads the rows of a contract.
 * @param folder - folder of its pages: tables whose first cell is an ID, or the name of a hook below "## The catalog"
 */
export function readContractRows(folder: string): ContractRows {
  const rows: Record<string, readonly string[]> = {};
  for (const file of globSync("*.md", { cwd: folder }).sort()) {
    if (OTHER_PAGES.has(basename(file))) continue;
    let isCatalog = false;
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      if (line.startsWith("## ")) isCatalog = line.startsWith("## The catalog");
      const [, id = "", text = ""] = /^\| ([A-Z]+-\d+|[a-z_]+) \|(.*)$/.exec(line) ?? [];
      const isHook = /^[a-z]/.test(id);
      if (id === "" || (isHook && (!isCatalog || id === "name" || id === "hook"))) continue;
      rows[isHook ? `HOOKCAT:${id}` : id] = namesIn(text);
    }
  }
  return rows;
}

/** Returns the recorded rows of the contract. */
export function recordedRows(root: string): ContractRows {
  return JSON.parse(readFileSync(join(root, ROWS_FILE), "utf8"));
}

/** Returns the accepted differences. */
export function acceptedDifferences(root: string): Differences {
  return JSON.parse(readFileSync(join(root, DIFFERENCES_FILE), "utf8"));
}

/**
 * Compares the rows of a contract with the requirements of the repository, and their names with all of its text.
 * @param requirements - requirements of the repository
 * @param text - text of the repository
 */
export function compareRows(
  rows: ContractRows,
  requirements: readonly Pick<Requirement, "id">[],
  text: string,
): Comparison {
  const known = new Set(requirements.map(({ id }) => id));
  const words = new Set(text.match(/[A-Za-z0-9_-]+/g));
  const withoutSentence = Object.keys(rows).filter((id) => !known.has(id));
  const names = Object.entries(rows).flatMap(([id, all]) =>
    known.has(id)
      ? all.filter((name) => !hasName(name, words, text)).map((name) => ({ id, name }))
      : [],
  );
  return { withoutSentence, names };
}

/**
 * Returns the text in which names are looked for.
 * @param root - folder of the repository, absolute
 */
export function repositoryText(root: string): string {
  const listed = execFileSync("git", ["ls-files", "-z", "--", ...SEARCHED], {
    ...{ cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  });
  return listed
    .split("\0")
    .filter((file) => SEARCHED_FILES.test(file) && !REPEATED.test(file))
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
}

/** Words of the code of a row that are long enough to be names. */
function namesIn(text: string): readonly string[] {
  const names = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = ""]) =>
    code.split(/[^A-Za-z0-9_.:/-]+/).map((word) => word.replace(/^[.:/-]+|[.:/-]+$/g, "")),
  );
  return [...new Set(names)].filter((name) => name.length > 3 && /[A-Za-z]{3}/.test(name)).sort();
}

/** A name with parts may be written in parts, as a key of the configuration is in its schema. */
function hasName(name: string, words: ReadonlySet<string>, text: string): boolean {
  return name.split(/[.:/]/).every((part) => words.has(part) || text.includes(part));
}
