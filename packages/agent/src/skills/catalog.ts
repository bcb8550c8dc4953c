import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { realPathOf, systemErrorCode } from "@openclaw/core-tools";
import type { Logger } from "@openclaw/plugin-sdk";
import { inspectOutput, type OutputOptions } from "@openclaw/safety";
import { MAXIMUM_SKILL_BYTES, readSkillDocument, type SkillDocument } from "./document.js";
import { describeOrigin, isOffered, SKILL_ORIGINS, type SkillOrigin } from "./origin.js";

/** A skill that agents may load. */
export interface Skill extends Omit<SkillDocument, "body" | "metadata"> {
  /** Real path of its folder. */
  readonly folder: string;
  readonly origin: SkillOrigin;
}

/** Reason why a skill is left out, or differs from its file. */
export interface SkillProblem {
  readonly code:
    | "SKILL_INVALID"
    | "SKILL_SHADOWED"
    | "SKILL_UNSAFE"
    | "SKILL_OUTSIDE"
    | "SKILL_NOT_TRUSTED"
    | "SKILL_BEYOND_LIMIT"
    | "SKILL_CONDITION"
    | "SKILL_CHANGED"
    | "SKILL_NAME_DIFFERS";
  readonly path: string;
  readonly message: string;
}

/** The skills of a host. */
export interface SkillCatalog {
  /** Returns the skills that an agent may load, by name; reads them from the disk at most once a second. */
  offered(agentId: string): Promise<readonly Skill[]>;
  /** Returns the skills found in the last scan of the folders, also hidden ones. */
  all(): readonly Skill[];
  /** Returns the real paths of the folders of all skills found last, for the tools that read files. */
  folders(): readonly string[];
  /** Returns the problems found in the last scan of the folders. */
  problems(): readonly SkillProblem[];
}

/** Options of a skill catalog. */
export interface SkillCatalogOptions {
  readonly origins: readonly SkillOrigin[];
  /**
   * Returns true if a skill is hidden from an agent.
   * @param name - name of the skill
   */
  isHidden?(name: string, agentId: string): boolean;
  /** Rules used to scan skills of untrusted origins. */
  readonly safety: OutputOptions;
  readonly logger: Logger;
  /** A clock in milliseconds; that of the process when absent. */
  readonly now?: (() => number) | undefined;
}

const FILE = "SKILL.md";
const FRESH_MS = 1000;
/** Maximum number of folders scanned in one origin. */
const MAXIMUM_FOLDERS = 500;
/** Flags that neither follow a link nor wait for the writer of a pipe. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

interface Found {
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
}

interface CachedFile {
  readonly version: string;
  readonly document: SkillDocument | { readonly problem: string };
}

/**
 * Creates a catalog of the skills in given origins; nothing is read before the first turn needs it.
 * @param options - origins of the skills, visibility and safety rules
 */
export function createSkillCatalog(options: SkillCatalogOptions): SkillCatalog {
  const { safety, logger, now = () => performance.now(), isHidden = () => false } = options;
  const origins = [...options.origins].sort(
    (a, b) => SKILL_ORIGINS.indexOf(a.kind) - SKILL_ORIGINS.indexOf(b.kind),
  );
  const files = new Map<string, CachedFile>();
  const told = new Set<string>();
  let found: Found = { skills: [], problems: [] };
  let readAt = Number.NEGATIVE_INFINITY;
  let underway: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const startedAt = now();
    found = await findSkills(origins, files, safety);
    readAt = startedAt;
    for (const { code, path, message } of found.problems) {
      // A condition that is not met is a setting of the operator, not a fault.
      if (code === "SKILL_CONDITION" || told.has(message)) continue;
      told.add(message);
      logger.warn(message, { code, path });
    }
  }

  return {
    async offered(agentId) {
      if (now() - readAt >= FRESH_MS) {
        underway ??= refresh().finally(() => {
          underway = undefined;
        });
        await underway;
      }
      return found.skills.filter(({ name }) => !isHidden(name, agentId));
    },
    all: () => found.skills,
    folders: () => found.skills.map(({ folder }) => folder),
    problems: () => found.problems,
  };
}

async function findSkills(
  origins: readonly SkillOrigin[],
  files: Map<string, CachedFile>,
  safety: OutputOptions,
): Promise<Found> {
  const skills = new Map<string, Skill>();
  const problems: SkillProblem[] = [];
  for (const origin of origins) {
    const { folders: places, beyond } = await skillFolders(origin);
    problems.push(...beyond);
    const reads = places.map((place) => readSkill(place, origin, files, safety));
    for (const read of await Promise.all(reads)) {
      if (read === undefined) continue;
      if ("code" in read) {
        problems.push(read);
        continue;
      }
      const renamed = otherName(read);
      if (renamed !== undefined) problems.push(renamed);
      const earlier = skills.get(read.name);
      if (earlier !== undefined) problems.push(shadowed(earlier, read));
      // In one origin the first of two skills with the same name wins, as with plugins; across origins the
      // later one.
      if (earlier?.origin.kind === origin.kind) continue;
      skills.set(read.name, read);
    }
  }
  const sorted = [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { skills: sorted, problems };
}

/**
 * Returns the folder itself if it is a skill, otherwise the skill folders inside it, with those beyond the limit; empty
 * if it does not exist.
 */
async function skillFolders(
  origin: SkillOrigin,
): Promise<{ readonly folders: string[]; readonly beyond: SkillProblem[] }> {
  const { folder } = origin;
  if ((await lstat(join(folder, FILE)).catch(() => undefined)) !== undefined) {
    return { folders: [folder], beyond: [] };
  }
  const names = await readdir(folder).catch(() => []);
  const all = names
    .filter((name) => !name.startsWith("."))
    .sort()
    .map((name) => join(folder, name));
  const beyond = all.slice(MAXIMUM_FOLDERS).map((path): SkillProblem => {
    const why = `is after the first ${MAXIMUM_FOLDERS} folders`;
    return leftOut(origin, "SKILL_BEYOND_LIMIT", path, why);
  });
  return { folders: all.slice(0, MAXIMUM_FOLDERS), beyond };
}

/** Describes a skill that is left out. */
function leftOut(
  origin: SkillOrigin,
  code: SkillProblem["code"],
  path: string,
  why: string,
): SkillProblem {
  const message = `the skill ${path} of ${describeOrigin(origin)} is left out: it ${why}`;
  return { code, path, message };
}

async function readSkill(
  place: string,
  origin: SkillOrigin,
  files: Map<string, CachedFile>,
  safety: OutputOptions,
): Promise<Skill | SkillProblem | undefined> {
  if (origin.closed !== undefined) {
    const path = join(place, FILE);
    const isSkill = (await lstat(path).catch(() => undefined)) !== undefined;
    return isSkill ? leftOut(origin, "SKILL_NOT_TRUSTED", path, origin.closed) : undefined;
  }
  const folder = await realPathOf(place);
  if (origin.within !== undefined && !isInside(folder, await realPathOf(origin.within))) {
    const message = `the skill folder ${place} of ${describeOrigin(origin)} is left out: it leads to ${folder}, outside ${origin.within}`;
    return { code: "SKILL_OUTSIDE", path: place, message };
  }
  const path = join(folder, FILE);
  const document = await readFile(path, files, folderNameOf(folder, origin));
  if (document === undefined) return misnamed(folder, origin);
  if ("problem" in document) return leftOut(origin, "SKILL_INVALID", path, document.problem);
  const changed = await origin.pinned?.(folder, basename(folder));
  if (changed !== undefined) return leftOut(origin, "SKILL_CHANGED", path, changed);
  const { body: _body, metadata, ...facts } = document;
  if (!isOffered(origin, metadata)) {
    const why =
      "needs settings of its plugin that are not set; see openclaw.whenConfig in the file";
    return leftOut(origin, "SKILL_CONDITION", path, why);
  }
  if (!origin.trusted) {
    // The description is part of the prompt, where no wrapper marks it as untrusted.
    const { findings } = inspectOutput(facts.description, safety);
    const [finding] = findings;
    if (finding !== undefined) {
      const why = `has a description that matches rule "${finding.rule}"`;
      return leftOut(origin, "SKILL_UNSAFE", path, why);
    }
  }
  return { ...facts, folder, origin };
}

/** Finds a file such as `skill.md`, which is another name on most systems. */
async function misnamed(folder: string, origin: SkillOrigin): Promise<SkillProblem | undefined> {
  const names = await readdir(folder).catch(() => []);
  const name = names.find((each) => each.toLowerCase() === FILE.toLowerCase());
  if (name === undefined) return undefined;
  return leftOut(origin, "SKILL_INVALID", join(folder, name), `must be named ${FILE}; rename it`);
}

/** Plugins of other products name the folder and the skill differently; the name of the skill applies. */
function otherName({ name, folder, origin }: Skill): SkillProblem | undefined {
  if (name === basename(folder)) return undefined;
  const path = join(folder, FILE);
  const message = `the skill ${path} of ${describeOrigin(origin)} is loaded as "${name}", but its folder is "${basename(folder)}"; give both the same name`;
  return { code: "SKILL_NAME_DIFFERS", path, message };
}

/**
 * Reads the current instructions of a skill from its file.
 * @param skill - skill of a catalog
 * @returns undefined when the file does not exist or is not a valid skill any more
 */
export async function readSkillBody({ folder, name, origin }: Skill): Promise<string | undefined> {
  const folderName = folderNameOf(folder, origin);
  const document = await readFile(join(folder, FILE), new Map(), folderName);
  return document === undefined || "problem" in document || document.name !== name
    ? undefined
    : document.body;
}

function folderNameOf(folder: string, { namesByFolder }: SkillOrigin): string | undefined {
  return namesByFolder === true ? basename(folder).toLowerCase() : undefined;
}

/** Returns undefined when the file does not exist. */
async function readFile(
  path: string,
  files: Map<string, CachedFile>,
  folderName: string | undefined,
): Promise<CachedFile["document"] | undefined> {
  try {
    const handle = await open(path, READ_FLAGS);
    try {
      const stats = await handle.stat({ bigint: true });
      if (!stats.isFile()) return { problem: "is not a regular file" };
      const version = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
      const cached = files.get(path);
      if (cached?.version === version) return cached.document;
      const document =
        stats.size > MAXIMUM_SKILL_BYTES
          ? {
              problem: `is larger than ${MAXIMUM_SKILL_BYTES} bytes; move parts to other files`,
            }
          : await readSkillDocument(await handle.readFile("utf8"), folderName);
      files.set(path, { version, document });
      return document;
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    files.delete(path);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return { problem: `cannot be read (${code})` };
  }
}

function shadowed(earlier: Skill, later: Skill): SkillProblem {
  const [loser, winner] =
    earlier.origin.kind === later.origin.kind ? [later, earlier] : [earlier, later];
  const message = `the skill "${loser.name}" of ${describeOrigin(loser.origin)} (${loser.folder}) is left out: the one of ${describeOrigin(winner.origin)} (${winner.folder}) has the same name`;
  return { code: "SKILL_SHADOWED", path: loser.folder, message };
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
