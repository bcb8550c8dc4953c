import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createSkillCatalog, type SkillOrigin } from "@openclaw/agent";
import {
  discardStaged,
  type Marketplaces,
  PluginSourceError,
  parsePluginSpecifier,
  type StagedPlugin,
  stagePlugin,
} from "@openclaw/plugin-install";
import type { Logger } from "@openclaw/plugin-sdk";
import type { NetworkClient, OutputOptions } from "@openclaw/safety";

/** Skill in an unpacked source. */
export interface SourceSkill {
  readonly name: string;
  readonly description: string;
  /** Real path of its folder. */
  readonly folder: string;
}

/** Skills of an unpacked source, with the reasons for those that cannot be used. */
export interface SourceSkills {
  readonly skills: readonly SourceSkill[];
  readonly problems: readonly string[];
}

/** Source of skills that was unpacked into a staging folder. */
export interface StagedSkills extends SourceSkills, AsyncDisposable {
  readonly staged: StagedPlugin;
  /** Source as an update reads it. */
  readonly requested: string;
}

/** Dependencies of {@link stageSkills}. */
export interface SkillSourceContext {
  readonly stagingDir: string;
  readonly marketplaces: Pick<Marketplaces, "find">;
  readonly network: NetworkClient;
  /** Rules with which descriptions are checked. */
  readonly safety: OutputOptions;
}

/** Folders of a source that may have skills. */
const PLACES = [".", "skills", ".claude/skills"];

/**
 * Unpacks a source of skills: a folder, a git URL, a package of npm, or a plugin of a marketplace. Nothing of it is executed.
 * @param text - source as the operator wrote it
 * @param cwd - base folder of relative paths
 * @param context - staging folder, marketplaces, network check and rules
 * @throws PluginSourceError, and the errors of marketplaces
 */
export async function stageSkills(
  text: string,
  cwd: string,
  { stagingDir, marketplaces, network, safety }: SkillSourceContext,
): Promise<StagedSkills> {
  const listed = await marketplaces.find(text);
  const source = listed?.source ?? (await parsePluginSpecifier(text, cwd));
  if (source.kind === "first-party" || source.kind === "plugin-file") {
    throw new PluginSourceError(
      text,
      "it is not a folder, an archive, a git URL or a package with skills",
      "name the source of a skill, which has a SKILL.md",
    );
  }
  await mkdir(stagingDir, { recursive: true, mode: 0o700 });
  const staged = await stagePlugin(source, text, stagingDir, network);
  try {
    return {
      ...(await skillsIn(
        PLACES.map((place) => join(staged.dir, place)),
        staged.dir,
        safety,
      )),
      staged,
      requested: listed === undefined && "path" in source ? source.path : text,
      [Symbol.asyncDispose]: () => discardStaged(staged),
    };
  } catch (error) {
    await discardStaged(staged);
    throw error;
  }
}

/**
 * Reads the skills in folders of a source. They are not trusted: a description that addresses the model is a problem.
 * @param folders - absolute paths, each of a skill or of a folder of skills
 * @param within - folder that must contain them
 * @param safety - rules with which descriptions are checked
 */
export async function skillsIn(
  folders: readonly string[],
  within: string,
  safety: OutputOptions,
): Promise<SourceSkills> {
  const origins = folders.map(
    (folder): SkillOrigin => ({
      ...{ kind: "state", folder, within, trusted: false, namesByFolder: true },
    }),
  );
  const catalog = createSkillCatalog({ origins, safety, logger: SILENT });
  const skills = await catalog.offered("main");
  return {
    skills: skills.map(({ name, description, folder }) => ({ name, description, folder })),
    problems: catalog
      .problems()
      .filter(({ code }) => code !== "SKILL_NAME_DIFFERS" && code !== "SKILL_SHADOWED")
      .map(({ message }) => message.replaceAll(`${within}/`, "")),
  };
}

const ignore = () => undefined;
const SILENT: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
