import type { SkillProblem } from "@openclaw/agent";
import type { LoadedConfiguration } from "@openclaw/configuration";
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
  const state = stateFolderAt(places.stateDir);
  const trusted = new TrustedFolders(state.trustedFoldersFile);
  const skills = hostSkills(
    {
      ...{ configuration: places.configuration, workspaceDir: places.workspaceDir, state },
      isTrusted: (folder) => trusted.includes(folder),
      safety: {},
      logger: openLog(undefined, { level: "silent" }).logger("skills"),
    },
    { plugins: [] },
  );
  return leftOutSkills(skills);
}
