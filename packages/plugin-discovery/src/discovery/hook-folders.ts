import { join } from "node:path";
import type { PluginOrigin } from "@openclaw/plugin-sdk/plugin-entry";
import { realPath, statsOf } from "../files/path.js";
import { idFromName } from "./derived-id.js";
import type { PluginDiagnostic } from "./diagnostic.js";
import {
  candidate,
  type Discovery,
  foldersIn,
  type PluginCandidate,
  type PluginSources,
} from "./discovery.js";
import { readHookFile } from "./hook-file.js";

/** Folder of hook folders, in the workspace and in the state folder. */
const HOOKS = "hooks";

/**
 * Finds the hook folders of the operator, each as a plugin `hooks/<folder>` (PLUG-110). The rules of plugins apply to
 * them: those of the workspace are off until they are enabled, and are not read in a folder without trust.
 * @param sources - workspace and state folder
 */
export async function discoverHookFolders(sources: PluginSources): Promise<Discovery> {
  const diagnostics: PluginDiagnostic[] = [];
  const candidates: PluginCandidate[] = [];
  const isTrusted = sources.isWorkspaceTrusted?.() ?? true;
  const places: readonly (readonly [folder: string | undefined, origin: PluginOrigin])[] = [
    [isTrusted ? sources.workspaceDir : undefined, "workspace"],
    [sources.stateDir, "global"],
  ];
  const seen = new Set<string>();
  for (const [folder, origin] of places) {
    const parent = folder && realPath(join(folder, HOOKS));
    if (!parent || seen.has(parent)) continue;
    seen.add(parent);
    // A workspace may have a folder "hooks" with other contents.
    for (const path of foldersIn(parent, origin === "global" ? diagnostics : [])) {
      const id = `${HOOKS}/${idFromName(path.slice(parent.length + 1))}`;
      const file = await readHookFile(path, id);
      if (file === undefined) continue;
      const place = { path, origin, named: false, consented: false };
      const found = candidate(place, path, statsOf(path), file);
      const own = found.diagnostics.map((diagnostic) => ({ ...diagnostic, pluginId: id }));
      candidates.push({ ...found, id, diagnostics: own, hookFile: file.hookFile });
    }
  }
  return { candidates, diagnostics };
}
