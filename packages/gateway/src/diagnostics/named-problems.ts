import type { EntryProblem } from "@openclaw/configuration";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { OfferedTools } from "../host/policy.js";
import { contradictions } from "./contradictions.js";
import { knownNames, type RunningNames } from "./known-names.js";
import { mcpEntryProblems } from "./mcp-entries.js";
import { missingPaths } from "./missing-paths.js";
import { wrongIds } from "./people-ids.js";
import { type PluginWithSettings, settingNames } from "./setting-names.js";
import { type SkillPlaces, skillNames } from "./skill-inspection.js";
import { unknownAccounts } from "./unknown-accounts.js";
import { unknownNames } from "./unknown-names.js";
import { type SlotPlugin, wrongSlots } from "./wrong-slots.js";

/** Plugins of an installation, and those of the running host. */
export interface NamedPlugins {
  readonly plugins: Parameters<typeof knownNames>[0] &
    Parameters<typeof wrongIds>[1] &
    readonly (PluginWithSettings & SlotPlugin)[];
  readonly running: (RunningNames & Pick<PluginGeneration, "plugins">) | undefined;
  /** Tools that plugins offer besides, while they run. */
  readonly made?: readonly OfferedTools[] | undefined;
}

/**
 * Compares a configuration with what exists and can work: names, accounts and IDs of channels, files and folders, servers of
 * MCP. No plugin is loaded.
 * @param places - configuration, state folder and workspace
 * @param plugins - installed and running plugins
 * @param changed - paths whose values are compared; by default all
 */
export async function namedProblems(
  places: SkillPlaces,
  { plugins, running, made }: NamedPlugins,
  changed: readonly (readonly string[])[] = [[]],
): Promise<readonly EntryProblem[]> {
  const { configuration } = places;
  const namesSkills = changed.some(([first]) => first === undefined || first === "skills");
  const known = {
    ...knownNames(plugins, running, made),
    skills: namesSkills ? await skillNames(places, running?.plugins ?? []) : undefined,
  };
  const ofSettings = settingNames(configuration, plugins);
  return [
    ...unknownNames(configuration, known, changed, ofSettings),
    ...unknownAccounts(configuration, changed),
    ...missingPaths(configuration, changed, ofSettings),
    ...contradictions(configuration, changed),
    ...wrongSlots(configuration, plugins, changed),
    ...mcpEntryProblems(configuration, changed),
    ...wrongIds(configuration, plugins, changed),
  ];
}
