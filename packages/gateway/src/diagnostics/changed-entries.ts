import { defined, didYouMean, isSchema, nearestName } from "@openclaw/foundation";
import { checkPluginConfig } from "@openclaw/plugin-discovery";
import type { EntryCheck } from "../configuration/change.js";
import type { LoadedConfiguration } from "../configuration/configuration.js";
import { schemaAt, valueAt } from "../configuration/schema-path.js";
import type { ConfigurationProblem } from "../errors.js";
import {
  configProblemsOf,
  inspectPlugins,
  type PluginInspection,
  type PluginPlaces,
} from "../methods/host-overview.js";
import { HOST_CHANNELS } from "../plugins/plugins.js";

/** Locations of plugins, and the workspace that follows from a configuration. */
export type EntryPlaces = Omit<PluginPlaces, "configuration" | "workspaceDir"> & {
  /** Returns the workspace of the host for a configuration. */
  workspaceOf(configuration: LoadedConfiguration): string;
  /** Plugins and channels of a running host in addition to those of files. */
  readonly known?: (() => { plugins: readonly string[]; channels: readonly string[] }) | undefined;
};

/**
 * Creates the check of the plugins and channels that a change of the configuration names: they exist, and the
 * configuration of a plugin matches the schema of its manifest (GW-441). No plugin is loaded.
 * @param places - locations of plugins
 */
export function createEntryCheck({ workspaceOf, known, ...places }: EntryPlaces): EntryCheck {
  return async (configuration, changed) => {
    const ids = namesBelow(["plugins", "entries"], configuration, changed);
    const channels = namesBelow(["channels"], configuration, changed);
    if (ids.length + channels.length === 0) return [];
    const workspaceDir = workspaceOf(configuration);
    const { plugins } = await inspectPlugins({ ...places, configuration, workspaceDir });
    const running = known?.() ?? { plugins: [], channels: [] };
    const knownIds = [...plugins.map(({ id }) => id), ...running.plugins];
    const offered = [
      ...plugins.flatMap(({ permissions }) => permissions.channels ?? []),
      ...running.channels,
    ];
    const mayOfferOthers = plugins.some(
      ({ origin, permissions }) => origin !== "bundled" && permissions.channels === undefined,
    );
    const { file = "" } = configuration;
    const settings = await Promise.all(
      channels.map((name) => settingProblems(name, plugins, configuration)),
    );
    return [
      ...settings.flat(),
      ...ids.flatMap((id): ConfigurationProblem[] => {
        const plugin = plugins.find((each) => each.id === id);
        if (plugin !== undefined) return configProblemsOf(plugin, configuration, file);
        if (knownIds.includes(id)) return [];
        const path = ["plugins", "entries", id];
        const advice = "install it first with `openclaw plugins install`";
        return [unknown(path, `no plugin "${id}" is installed`, knownIds, advice, configuration)];
      }),
      ...channels.flatMap((name): ConfigurationProblem[] => {
        if ([...offered, ...HOST_CHANNELS].includes(name)) return [];
        // A plugin whose manifest declares no channels can still offer one.
        if (mayOfferOthers && nearestName(name, offered) === undefined) return [];
        const message = `no plugin offers a channel "${name}"`;
        const advice = `the channels are ${[...new Set(offered)].sort().join(", ")}`;
        return [unknown(["channels", name], message, offered, advice, configuration)];
      }),
    ];
  };
}

/** Compares the settings of each account of a channel with the schema of the manifest. */
async function settingProblems(
  name: string,
  plugins: PluginInspection["plugins"],
  configuration: LoadedConfiguration,
): Promise<ConfigurationProblem[]> {
  const plugin = plugins.find(({ permissions }) => permissions.channels?.includes(name) === true);
  const schema = plugin?.channelSettings?.[name];
  const section: Readonly<Record<string, unknown>> = Object(
    valueAt(configuration.value, ["channels", name]),
  );
  if (!isSchema(schema) || section.enabled === false) return [];
  const { accounts, ...common } = section;
  const named: readonly [string, unknown][] = Object.entries(Object(accounts));
  const all = named.length === 0 ? [[undefined, {}] as const] : named;
  const found = await Promise.all(
    all.map(async ([account, own]) => {
      const above = ["channels", name, ...(account === undefined ? [] : ["accounts", account])];
      const checked = await checkPluginConfig(ownSettings({ ...common, ...Object(own) }), schema);
      const problems = "problems" in checked ? checked.problems : [];
      return problems.map((text) => problemAt(above, text, configuration));
    }),
  );
  return found.flat();
}

/** Leaves out the settings that every channel has. */
function ownSettings(account: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const common = Object.keys(schemaAt(["channels", "any"])?.properties ?? {});
  return Object.fromEntries(Object.entries(account).filter(([key]) => !common.includes(key)));
}

function problemAt(
  above: readonly string[],
  text: string,
  { locate, file = "" }: LoadedConfiguration,
): ConfigurationProblem {
  const [pointer = "", ...rest] = text.split(": ");
  const path = [...above, ...pointer.split("/").filter((part) => part !== "")];
  const channel = above[1] ?? "";
  const message = rest.join(": ");
  const isLacking = message.includes("required");
  const advice = `openclaw channels add ${channel}`;
  return {
    key: path.join("."),
    message,
    ...defined({ suggestion: isLacking ? `give it with \`${advice} key=value\`` : undefined }),
    ...(locate(path) ?? locate(above) ?? { file, line: 1, column: 1 }),
  };
}

/** Returns the names in a section whose entries a change touches and that still have an entry. */
function namesBelow(
  section: readonly string[],
  { value }: LoadedConfiguration,
  changed: readonly (readonly string[])[],
): readonly string[] {
  const names = Object.keys(Object(valueAt(value, section)));
  const touched = (name: string) =>
    changed.some((path) =>
      [...section, name].every((key, index) => index >= path.length || path[index] === key),
    );
  return names.filter(touched);
}

function unknown(
  path: readonly string[],
  message: string,
  known: readonly string[],
  advice: string,
  { locate, file = "" }: LoadedConfiguration,
): ConfigurationProblem {
  return {
    key: path.join("."),
    message,
    suggestion: didYouMean(nearestName(path.at(-1) ?? "", known)) ?? advice,
    ...(locate(path) ?? { file, line: 1, column: 1 }),
  };
}
