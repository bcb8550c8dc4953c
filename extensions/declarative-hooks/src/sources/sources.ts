import type { HookSetProblem } from "@openclaw/plugin-sdk/hooks";
import type { DeclaredHooks } from "@openclaw/plugin-sdk/services";
import type { DeclarativeHooksConfig } from "../config.js";
import type { ReadContext } from "../definition/read-context.js";
import { readHooks } from "../definition/reader.js";
import type { HookSource } from "./source.js";
import { readWorkspace, type WorkspaceContext } from "./workspace.js";

/** Places that hooks are read from. */
export interface Sources {
  readonly config: DeclarativeHooksConfig;
  readonly read: ReadContext;
  /** Working directory of the programs of the configuration. */
  readonly folder: string;
  /** Hooks of the manifests of other plugins. */
  readonly declared: () => readonly DeclaredHooks[];
  /** Absent when hook files are not read. */
  readonly workspace: WorkspaceContext | undefined;
}

/**
 * Reads all sources: the configuration, the manifests of plugins, and the files of the workspace (DHOOK-014).
 * @param sources - the places
 * @throws HookConfigurationError when the hooks of the configuration are not valid
 */
export async function readSources({
  config: { rules = [], outbound_webhooks = [], hooks = [] },
  read,
  folder,
  declared,
  workspace,
}: Sources): Promise<readonly HookSource[]> {
  const location = "plugins.entries.declarative-hooks.config";
  const definitions = readHooks({ rules, outbound_webhooks, hooks }, "config", read);
  return [
    { location, cwd: folder, definitions, approved: true, problems: [] },
    ...declared().map((each) => readDeclared(each, read)),
    ...(workspace === undefined ? [] : await readWorkspace(workspace)),
  ];
}

/** A manifest that is not valid offers no hooks; the plugin itself works. */
function readDeclared(
  { pluginId, rootDir, hooks, programs, hosts }: DeclaredHooks,
  read: ReadContext,
): HookSource {
  const place = { location: `manifest of plugin ${pluginId}`, cwd: rootDir, approved: true };
  try {
    const context = { ...read, permissions: { programs, hosts } };
    return { ...place, definitions: readHooks(hooks, `plugin/${pluginId}`, context), problems: [] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const problem: HookSetProblem = { source: place.location, message };
    return { ...place, definitions: [], problems: [problem] };
  }
}
