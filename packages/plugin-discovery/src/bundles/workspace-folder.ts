import type { Bundle, BundlePart } from "./bundle.js";
import { fieldsOf, isFile, pathIn, readJson } from "./files.js";
import { readLayout } from "./plugin-layout.js";

/** Folder of a workspace with the files of Claude Code. */
export const CLAUDE_FOLDER = ".claude";

/** Name of the plugin that the folder is. */
const NAME = "workspace-claude";

/** Settings in the order in which they are read; hooks of both run. */
const SETTINGS = ["settings.json", "settings.local.json"];

/**
 * Reads `.claude/` of a workspace as a bundle: the hooks of its settings, its commands and its agents (EXT-549). Its skills
 * are skills of the workspace, and are read there.
 * @param root - real path of the folder
 * @returns undefined for a folder without any of them
 */
export function readWorkspaceFolder(root: string): Bundle | undefined {
  const unsupported: BundlePart[] = [];
  const hooks: Record<string, unknown[]> = {};
  for (const name of SETTINGS) {
    const path = pathIn(root, name);
    if (path === undefined || !isFile(path)) continue;
    const read = readJson(path);
    if ("problem" in read) {
      unsupported.push(part("file", name, `it ${read.problem}`));
      continue;
    }
    const { hooks: written, ...others } = fieldsOf(read.value);
    for (const [event, groups] of Object.entries(fieldsOf(written))) {
      const earlier = Object.hasOwn(hooks, event) ? hooks[event] : undefined;
      hooks[event] = [...(earlier ?? []), ...(Array.isArray(groups) ? groups : [groups])];
    }
    for (const key of Object.keys(others).filter((each) => each !== "$schema")) {
      unsupported.push(part("setting", `${name} ${key}`, "set it in openclaw.json"));
    }
  }
  const layout = readLayout(root, "claude", undefined, { name: NAME, hooks });
  const bundle: Bundle = {
    ...layout,
    ...{ description: "Commands, agents and hooks of .claude in the workspace", skills: [] },
    unsupported: [
      ...layout.unsupported.filter(({ name }) => name !== "settings.json"),
      ...unsupported,
    ],
  };
  const { commands, agents } = bundle;
  return commands.length + agents.length + bundle.hooks.length > 0 ? bundle : undefined;
}

function part(kind: string, name: string, reason: string): BundlePart {
  return { kind, name, status: "unsupported", reason };
}
