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

/** Why a skill is left out, or which one took its place. */
export interface SkillProblem {
  readonly code: "SKILL_INVALID" | "SKILL_SHADOWED" | "SKILL_UNSAFE" | "SKILL_OUTSIDE";
  readonly path: string;
  readonly message: string;
}

/** The skills of a host. */
export interface SkillCatalog {
  /**
   * The skills an agent may load, by name; read again from the disk at most once a second.
   * @param agentId - whose skills
   */
  offered(agentId: string): Promise<readonly Skill[]>;
  /** Real paths of the folders of all skills that were last found, for the tools that read. */
  folders(): readonly string[];
  /** What is wrong with the folders that were last looked at. */
  problems(): readonly SkillProblem[];
}

/** What a catalog is made from. */
export interface SkillCatalogOptions {
  readonly origins: readonly SkillOrigin[];
  /**
   * Whether a skill is kept from an agent.
   * @param name - of the skill
   * @param agentId - of the agent
   */
  isHidden?(name: string, agentId: string): boolean;
  /** Rules by which skills of untrusted origins are scanned. */
  readonly safety: OutputOptions;
  readonly logger: Logger;
  /** A clock in milliseconds; that of the process when absent. */
  readonly now?: (() => number) | undefined;
}

const FILE = "SKILL.md";
const FRESH_MS = 1000;
/** Most folders looked at in one origin. */
const MAXIMUM_FOLDERS = 500;
/** Neither follows a link nor waits for the writer of a pipe. */
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
 * Looks for skills in their origins; nothing is read before the first turn asks.
 * @param options - where, and for whom
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
      if (told.has(message)) continue;
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
    const places = await skillFolders(origin);
    const reads = places.map((place) => readSkill(place, origin, files, safety));
    for (const read of await Promise.all(reads)) {
      if (read === undefined) continue;
      if ("code" in read) {
        problems.push(read);
        continue;
      }
      const earlier = skills.get(read.name);
      if (earlier !== undefined) problems.push(shadowed(earlier, read));
      // Of two in one origin the first stays, as with plugins; a later origin wins.
      if (earlier?.origin.kind === origin.kind) continue;
      skills.set(read.name, read);
    }
  }
  const sorted = [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { skills: sorted, problems };
}

/** The folder itself when it is a skill, else those inside it; nothing where there is no folder. */
async function skillFolders({ folder }: SkillOrigin): Promise<string[]> {
  if ((await lstat(join(folder, FILE)).catch(() => undefined)) !== undefined) return [folder];
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => !name.startsWith("."))
    .sort()
    .slice(0, MAXIMUM_FOLDERS)
    .map((name) => join(folder, name));
}

async function readSkill(
  place: string,
  origin: SkillOrigin,
  files: Map<string, CachedFile>,
  safety: OutputOptions,
): Promise<Skill | SkillProblem | undefined> {
  const folder = await realPathOf(place);
  if (origin.within !== undefined && !isInside(folder, await realPathOf(origin.within))) {
    const message = `the skill folder ${place} of ${describeOrigin(origin)} is left out: it leads to ${folder}, outside ${origin.within}`;
    return { code: "SKILL_OUTSIDE", path: place, message };
  }
  const path = join(folder, FILE);
  const document = await readFile(path, files);
  if (document === undefined) return undefined;
  const leftOut = (code: SkillProblem["code"], why: string): SkillProblem => ({
    code,
    path,
    message: `the skill ${path} of ${describeOrigin(origin)} is left out: it ${why}`,
  });
  if ("problem" in document) return leftOut("SKILL_INVALID", document.problem);
  const { body: _body, metadata, ...facts } = document;
  if (facts.name !== basename(folder)) {
    const why = `is named "${facts.name}", but its folder is "${basename(folder)}"; give both one name`;
    return leftOut("SKILL_INVALID", why);
  }
  if (!isOffered(origin, metadata)) return undefined;
  if (!origin.trusted) {
    // The description stands in the prompt, where no wrapper tells the model to distrust it.
    const { findings } = inspectOutput(facts.description, safety);
    const [finding] = findings;
    if (finding !== undefined) {
      return leftOut(
        "SKILL_UNSAFE",
        `has a description in which rule "${finding.rule}" found something`,
      );
    }
  }
  return { ...facts, folder, origin };
}

/**
 * The instructions of a skill, as its file has them now.
 * @param skill - of a catalog
 * @returns undefined when the file is gone or no skill any more
 */
export async function readSkillBody({ folder, name }: Skill): Promise<string | undefined> {
  const document = await readFile(join(folder, FILE), new Map());
  return document === undefined || "problem" in document || document.name !== name
    ? undefined
    : document.body;
}

/** Undefined when there is no such file. */
async function readFile(
  path: string,
  files: Map<string, CachedFile>,
): Promise<CachedFile["document"] | undefined> {
  try {
    const handle = await open(path, READ_FLAGS);
    try {
      const stats = await handle.stat({ bigint: true });
      if (!stats.isFile()) return { problem: "is no regular file" };
      const version = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
      const cached = files.get(path);
      if (cached?.version === version) return cached.document;
      const document =
        stats.size > MAXIMUM_SKILL_BYTES
          ? {
              problem: `is larger than ${MAXIMUM_SKILL_BYTES} bytes; move parts to files beside it`,
            }
          : await readSkillDocument(await handle.readFile("utf8"));
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
  const message = `the skill "${loser.name}" of ${describeOrigin(loser.origin)} (${loser.folder}) is left out: that of ${describeOrigin(winner.origin)} (${winner.folder}) has its name`;
  return { code: "SKILL_SHADOWED", path: loser.folder, message };
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
