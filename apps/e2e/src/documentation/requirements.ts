import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { nearestName } from "@openclaw/foundation";

/** Folder of the pages, relative to the root of the repository. */
const PAGES = "docs/requirements";

/** Id of a requirement: an area with a number, or a hook of the catalog. */
const ID = String.raw`HOOKCAT:[a-z_]+|[A-Z]{2,6}-\d{3}`;

/** First words that look like an area and are names of standards, or invented by a test. */
const NOT_AREAS = new Set(["BADGE", "ISO", "SHA", "TICKET"]);

/** One requirement of the product. */
export interface Requirement {
  readonly id: string;
  /** Name of its page in `docs/requirements`, without extension. */
  readonly page: string;
  /** The behaviour that must hold, as Markdown. */
  readonly sentence: string;
  /** Missing or different behaviour today, as Markdown; empty without any. */
  readonly limits: string;
}

/**
 * Returns the requirements of all pages in `docs/requirements`, in the order of the pages.
 * @param root - folder of the repository, absolute
 * @throws Error when a row is malformed or an id is used twice
 */
export function readRequirements(root: string): Requirement[] {
  const found = new Map<string, Requirement>();
  for (const file of globSync(`${PAGES}/*.md`, { cwd: root }).sort()) {
    for (const requirement of requirementsOf(
      basename(file, ".md"),
      readFileSync(join(root, file), "utf8"),
    )) {
      const earlier = found.get(requirement.id);
      if (earlier !== undefined) {
        throw new Error(`${requirement.id} is in ${earlier.page}.md and ${requirement.page}.md`);
      }
      found.set(requirement.id, requirement);
    }
  }
  return [...found.values()];
}

/**
 * Returns the requirements of one page: the rows of its tables that start with an id.
 * @param page - name of the page without extension
 * @param text - the page, as Markdown
 * @throws Error when a row does not have an id, a sentence and a cell for its limits, or when an id is used twice
 */
export function requirementsOf(page: string, text: string): Requirement[] {
  const rows = text.split("\n").filter((line) => new RegExp(`^\\|\\s*(?:${ID})\\s*\\|`).test(line));
  const requirements = rows.map((row) => {
    const [id, sentence, limits, ...rest] = row
      .replace(/^\||\|\s*$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    if (!id || !sentence || limits === undefined || rest.length > 0) {
      throw new Error(
        `docs/requirements/${page}.md: expected | id | requirement | limits |: ${row}`,
      );
    }
    return { id, page, sentence, limits };
  });
  const ids = requirements.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`docs/requirements/${page}.md has ${twice} twice`);
  return requirements;
}

/**
 * Returns the ids of requirements that a text cites, each once, in order of appearance.
 * @param text - a comment, a test title or a sentence of documentation
 */
export function citedIn(text: string): string[] {
  const ids = text.match(new RegExp(`\\b(?:${ID})\\b`, "g")) ?? [];
  return [...new Set(ids)].filter((id) => !NOT_AREAS.has(id.split("-")[0] ?? ""));
}

/**
 * Returns the citations at the start of test titles that look like an ID and are not one, for example `[GW-34]`.
 * @param text - source of a test
 */
export function malformedIn(text: string): string[] {
  const titles = text.matchAll(/(?<=["'`])(?:\[[\w:,\s-]+\]\s+)+(?=\S)/g);
  return [
    ...new Set(
      [...titles].flatMap(([brackets]) =>
        (brackets.match(/[\w:-]+/g) ?? []).filter(
          (id) => /^[A-Za-z]{2,6}[-_]?\d+$/.test(id) && !new RegExp(`^(?:${ID})$`).test(id),
        ),
      ),
    ),
  ];
}

/**
 * Returns what to do about a cited ID that no page has: the nearest ID, and the page for a new row.
 * @param id - cited ID
 * @param requirements - all requirements
 */
export function adviceForUnknown(id: string, requirements: readonly Requirement[]): string {
  const [area = ""] = id.split(/[-:]/);
  const pages = requirements.flatMap((each) => (each.id.startsWith(area) ? [each.page] : []));
  const page = pages[0] ?? "<area>";
  const nearest = nearestName(
    id,
    requirements.map((each) => each.id),
  );
  const meant = nearest === undefined ? "" : `cite ${nearest} if you mean it, or `;
  return `${meant}add the row "| ${id} | <sentence> | |" to ${PAGES}/${page}.md`;
}
