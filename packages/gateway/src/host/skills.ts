import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { createSkillCatalog, type SkillCatalog, type SkillOrigin } from "@openclaw/agent";
import type { LoadedConfiguration } from "@openclaw/configuration";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { OutputOptions } from "@openclaw/safety";
import { createSkillPin } from "../skills/records.js";
import type { StateFolder } from "../state/folder.js";

/** Options of {@link hostSkills}: the locations of skills. */
export interface HostSkillsOptions {
  readonly configuration: LoadedConfiguration;
  readonly workspaceDir: string;
  /** Returns true for a folder whose skills may be used; every folder when absent. */
  isTrusted?(folder: string): boolean;
  readonly state: StateFolder;
  readonly safety: OutputOptions;
  readonly logger: Logger;
}

/**
 * Returns the skills of a host: those of its plugins, its workspace, its state folder and its configuration
 * (EXT-007). Skills of a cloned workspace or an installed plugin are not trusted.
 * @param options - locations of skills
 * @param generation - plugins whose skills are included
 */
export function hostSkills(
  options: HostSkillsOptions,
  generation: Pick<PluginGeneration, "plugins">,
): SkillCatalog {
  const { workspaceDir, state, safety, logger } = options;
  const { skills = {}, plugins = {} } = options.configuration.value;
  const ofPlugins = generation.plugins.flatMap((plugin): SkillOrigin[] => {
    if (plugin.status !== "loaded") return [];
    const { id: pluginId, rootDir: within, origin, isBundle: namesByFolder } = plugin;
    const pluginConfig = plugins.entries?.[pluginId]?.config ?? {};
    return (plugin.skills ?? []).map((folder) => ({
      kind: "plugin",
      folder,
      within,
      pluginId,
      trusted: origin === "bundled",
      namesByFolder,
      pluginConfig,
    }));
  });
  const isTrusted = options.isTrusted?.(workspaceDir) ?? true;
  const ofWorkspace = (folder: string): SkillOrigin => ({
    kind: "workspace",
    folder: join(workspaceDir, folder),
    within: workspaceDir,
    trusted: false,
    closed: isTrusted
      ? undefined
      : "belongs to a workspace that is not trusted; run `openclaw trust` in it",
  });
  const configured = (skills.folders ?? []).map(
    (folder): SkillOrigin => ({
      kind: "config",
      folder: absolute(folder, workspaceDir),
      trusted: true,
    }),
  );
  const { hide = [], agents = {} } = skills;
  return createSkillCatalog({
    origins: [
      ...ofPlugins,
      ofWorkspace("skills"),
      { ...ofWorkspace(".claude/skills"), namesByFolder: true },
      {
        kind: "installed",
        folder: state.installedSkillsDir,
        within: state.installedSkillsDir,
        trusted: false,
        namesByFolder: true,
        pinned: createSkillPin(state),
      },
      { kind: "state", folder: state.skillsDir, trusted: true },
      ...configured,
    ],
    isHidden: (name, agentId) =>
      hide.includes(name) ||
      (Object.hasOwn(agents, agentId) && agents[agentId]?.hide?.includes(name) === true),
    safety,
    logger,
  });
}

function absolute(folder: string, workspaceDir: string): string {
  if (folder === "~" || folder.startsWith("~/")) return join(homedir(), folder.slice(1));
  return isAbsolute(folder) ? folder : join(workspaceDir, folder);
}
