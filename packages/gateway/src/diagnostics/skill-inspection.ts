import type { SkillCatalog, SkillProblem } from "@openclaw/agent";
import type { LoadedConfiguration } from "@openclaw/configuration";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import { hostSkills } from "../host/skills.js";
import { leftOutSkills } from "../methods/skills.js";
import { type StateFolder, stateFolderAt } from "../state/folder.js";
import { openLog } from "../state/log.js";
import { TrustedFolders } from "../workspaces/trusted-folders.js";

/** Locations in which a host would find skills. */
export interface SkillPlaces {
  readonly configuration: LoadedConfiguration;
  readonly stateDir: StateFolder["dir"];
  readonly workspaceDir: string;
}

/**
 * Returns the skills of workspace, state folder and configuration that a start would leave out. Nothing is loaded, so
 * skills of plugins are not included.
 * @param places - locations of skills
 */
export async function inspectSkills(places: SkillPlaces): Promise<SkillProblem[]> {
  return await leftOutSkills(skillsAt(places, []));
}

/**
 * Returns the names of the skills that a host would find, with those of its loaded plugins.
 * @param places - locations of skills
 * @param plugins - plugins of the running host
 */
export async function skillNames(
  places: SkillPlaces,
  plugins: PluginGeneration["plugins"],
): Promise<readonly string[]> {
  const skills = skillsAt(places, plugins);
  await skills.offered("main");
  return skills.all().map(({ name }) => name);
}

function skillsAt(places: SkillPlaces, plugins: PluginGeneration["plugins"]): SkillCatalog {
  const state = stateFolderAt(places.stateDir);
  const trusted = new TrustedFolders(state.trustedFoldersFile);
  return hostSkills(
    {
      ...{ configuration: places.configuration, workspaceDir: places.workspaceDir, state },
      isTrusted: (folder) => trusted.includes(folder),
      safety: {},
      logger: openLog(undefined, { level: "silent" }).logger("skills"),
    },
    { plugins },
  );
}
