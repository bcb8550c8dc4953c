import type { DeclaredHooks } from "@openclaw/plugin-sdk/services";
import { readBundleHooks } from "../bundles/reader.js";
import type { DeclarativeHooksConfig } from "../config.js";
import type { HookAction, HookDefinition, InvalidAction } from "../definition/definition.js";
import type { ReadContext } from "../definition/read-context.js";
import { type ReadHooks, readEachHook } from "../definition/reader.js";
import { mistakesOf } from "../errors.js";
import { pointsIn } from "../set/points-in-force.js";
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
 * Reads all sources: the configuration, the manifests of plugins, and the files of the workspace (DHOOK-014). In the
 * configuration and in manifests, a hook that is not valid does not affect the others.
 * @param sources - the places
 */
export async function readSources({
  config: { rules = [], outbound_webhooks = [], hooks = [] },
  read,
  folder,
  declared,
  workspace,
}: Sources): Promise<readonly HookSource[]> {
  const location = "plugins.entries.declarative-hooks.config";
  const configured = readEachHook({ rules, outbound_webhooks, hooks }, "config", read);
  return [
    sourceOf(configured, { location, cwd: folder }, "error"),
    ...declared().flatMap((each) => [
      ...(each.hooks === undefined ? [] : [readDeclared(each, read)]),
      ...(each.handlers === undefined ? [] : [readBundleHooks(each, read)]),
    ]),
    ...(workspace === undefined ? [] : await readWorkspace(workspace)),
  ];
}

/** A hook of a manifest that is not valid is left out, since the operator did not write it; the plugin itself works. */
function readDeclared(
  { pluginId, rootDir, hooks, programs, hosts }: DeclaredHooks,
  readContext: ReadContext,
): HookSource {
  const place = { location: `manifest of plugin ${pluginId}`, cwd: rootDir };
  const context = { ...readContext, permissions: { programs, hosts } };
  const read = sourceOf(readEachHook(hooks, `plugin/${pluginId}`, context), place, "warn");
  return { ...read, definitions: read.definitions.filter(({ action }) => !isInvalid(action)) };
}

function sourceOf(
  { definitions, problems }: ReadHooks,
  place: Pick<HookSource, "location" | "cwd">,
  level: "warn" | "error",
): HookSource {
  const told = definitions.flatMap(({ action }) => (isInvalid(action) ? action.problem : []));
  const others = problems.map((each) => mistakesOf([each]));
  return {
    ...{ ...place, definitions, approved: true },
    problems: [
      ...definitions.flatMap((definition) => invalidText(definition, level) ?? []),
      ...others.filter((text) => !told.some((known) => known.includes(text))),
    ].map((message) => ({ source: place.location, message, level })),
  };
}

/** Says that a hook is off, and what that means for its events. */
function invalidText(definition: HookDefinition, level: "warn" | "error"): string | undefined {
  const { name, action, enabled } = definition;
  if (!isInvalid(action)) return undefined;
  const stops = level === "error" && enabled && pointsIn("invalid", definition).length > 0;
  const effect = stops ? " and stops the events that it decides about" : "";
  return `hook "${name}" is off${effect}, because it is not valid: ${action.problem}`;
}

function isInvalid(action: HookAction): action is InvalidAction {
  return action.type === "invalid";
}
