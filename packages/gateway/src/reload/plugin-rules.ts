import { appliesOf } from "@openclaw/configuration";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { ChangedPath } from "./difference.js";

/** Way in which a changed value is applied. */
export interface ChangeEffect {
  /** True when it waits for a restart. */
  readonly restart: boolean;
  /** Plugins to reload; `*` for all of them. */
  readonly plugins: readonly string[];
}

/** Reload rules that plugins registered. */
export type RegisteredRules = Pick<PluginGeneration, "reloadRules">["reloadRules"];

/** Effect that the rules of one plugin give to a path, with the length of the prefix. */
interface RuledEffect {
  readonly effect: "restart" | "hot" | "noop";
  readonly length: number;
}

/**
 * Returns how a change is applied: by the table of GW-006, and by the reload rules of plugins (PLUG-112). A plugin can
 * ask for more than the table: a restart, or its own reload. It can ask for less only below its own entry.
 * @param path - changed keys from the root
 * @param registered - rules of the loaded plugins
 */
export function effectOf(path: ChangedPath, registered: RegisteredRules): ChangeEffect {
  const plugins = new Set<string>();
  const [section, list, id] = path;
  const owner = section === "plugins" && list === "entries" ? id : undefined;
  if (section === "plugins") plugins.add(owner ?? "*");
  const applies = appliesOf(path);
  // Every plugin may use the workspace, and some are in it.
  if (applies === "plugin" && section !== "plugins") plugins.add("*");
  let restart = applies === "restart";
  for (const [pluginId, effect] of ruledBy(path, registered)) {
    if (effect === "restart") restart = true;
    if (effect === "hot") plugins.add(pluginId);
    if (effect === "noop" && pluginId === owner && !isEnablement(path)) plugins.delete(owner);
  }
  return { restart, plugins: [...plugins] };
}

/** Only the configuration belongs to the plugin; the rest of its entry is the operator's. */
function isEnablement([, , , key]: ChangedPath): boolean {
  return key !== "config";
}

/** Returns for each plugin the rule with the longest prefix; of equal ones the strictest. */
function ruledBy(
  path: ChangedPath,
  registered: RegisteredRules,
): ReadonlyMap<string, RuledEffect["effect"]> {
  const found = new Map<string, RuledEffect>();
  for (const { pluginId, rules } of registered) {
    const { restartPrefixes = [], hotPrefixes = [], noopPrefixes = [] } = rules;
    const lists = [
      ["restart", restartPrefixes],
      ["hot", hotPrefixes],
      ["noop", noopPrefixes],
    ] as const;
    for (const [effect, prefixes] of lists) {
      for (const prefix of prefixes) {
        const keys = prefix.split(".");
        if (!keys.every((key, index) => key === path[index])) continue;
        if (keys.length > (found.get(pluginId)?.length ?? 0)) {
          found.set(pluginId, { effect, length: keys.length });
        }
      }
    }
  }
  return new Map([...found].map(([id, { effect }]) => [id, effect]));
}
