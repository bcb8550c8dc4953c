import { join } from "node:path";
import { isAgentPlugin, readAgentPlugin } from "./agent-plugins.js";
import type { Bundle, BundleFormat, FoundBundle } from "./bundle.js";
import { fieldsOf, isFile, pathIn, readJson } from "./files.js";
import { readGeminiExtension } from "./gemini-extension.js";
import { readLayout } from "./plugin-layout.js";

/** Files that mark a bundle of one client, in order of preference. */
const MARKERS: readonly (readonly [file: string, format: BundleFormat])[] = [
  [".claude-plugin/plugin.json", "claude"],
  [".codex-plugin/plugin.json", "codex"],
  [".cursor-plugin/plugin.json", "cursor"],
  ["gemini-extension.json", "gemini"],
];

/**
 * Reads a bundle of another tool: by the marker of its client, else by the root `plugin.json` of the Agent Plugins
 * specification, else by the folders of Claude Code (EXT-530). Nothing of it is executed.
 * @param root - real path of a folder
 * @returns undefined for a folder that is not a bundle
 */
export function readBundle(root: string): FoundBundle | undefined {
  for (const [file, format] of MARKERS) {
    const marker = pathIn(root, file);
    if (marker === undefined || !isFile(marker)) continue;
    const read = readJson(marker);
    if ("problem" in read) return { file: marker, problem: read.problem };
    const bundle =
      format === "gemini"
        ? readGeminiExtension(root, marker, read.value)
        : readLayout(root, format, marker, fieldsOf(read.value));
    return { bundle };
  }
  const portable = pathIn(root, "plugin.json");
  if (portable !== undefined && isFile(portable)) {
    const read = readJson(portable);
    if ("value" in read && isAgentPlugin(read.value))
      return readAgentPlugin(root, join(root, "plugin.json"), read.value);
  }
  const bare = readLayout(root, "claude", undefined, {});
  return hasParts(bare) ? { bundle: bare } : undefined;
}

/** A folder without a marker is a bundle only with something that takes effect. */
function hasParts({ skills, commands, agents, hooks, mcpServers }: Bundle): boolean {
  const isNamed = hooks.length > 0 || Object.keys(mcpServers).length > 0;
  return isNamed || skills.length > 0 || commands.length > 0 || agents.length > 0;
}
