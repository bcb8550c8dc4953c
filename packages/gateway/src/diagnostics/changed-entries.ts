import {
  type ConfigurationProblem,
  commonChannelKeys,
  type EntryCheck,
  type IncompleteAccount,
  incompleteAccounts,
  type LoadedConfiguration,
  type PluginConfigChecks,
  problemsOfPlugins,
  sectionSchemaOf,
  valueAt,
} from "@openclaw/configuration";
import { didYouMean, isSchema, nearestName } from "@openclaw/foundation";
import { HOST_CHANNELS } from "@openclaw/messaging";
import { checkPluginConfig } from "@openclaw/plugin-discovery";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import { hostPolicy, type OfferedTools } from "../host/policy.js";
import { HOST_TOOL_NAMES } from "../host/tools/names.js";
import {
  configProblemsOf,
  inspectPlugins,
  type PluginInspection,
  type PluginPlaces,
} from "../methods/host-overview.js";
import { lastLoads } from "../plugins/last-loads.js";
import { knownNames, type RunningNames } from "./known-names.js";
import { namedProblems } from "./named-problems.js";
import { unknownEntries } from "./unknown-names.js";

/** Locations of plugins, and the workspace that follows from a configuration. */
export type EntryPlaces = Omit<PluginPlaces, "configuration" | "workspaceDir"> & {
  /** Returns the workspace of the host for a configuration. */
  workspaceOf(configuration: LoadedConfiguration): string;
  /** Registrations of the running host, in addition to what manifests declare. */
  readonly running?: (() => RunningNames) | undefined;
  /** Returns the tools that plugins offer only while they run; it is asked for a change that can name tools. */
  readonly madeTools?: (() => Promise<readonly OfferedTools[]>) | undefined;
  /** Checks of the settings of plugins that only a change has to pass. */
  readonly settingChecks?: PluginConfigChecks | undefined;
};

/**
 * Creates the check of the plugins and channels that a change of the configuration names: they exist, and the
 * settings of a plugin and of a channel match the schemas of its manifest, or those that it had at its last load (GW-441);
 * and of the models, tools and others that it names (GW-280).
 * Settings that a channel still lacks are none: it is configured step by step. No plugin is loaded.
 * @param places - locations of plugins
 */
export function createEntryCheck({
  workspaceOf,
  running,
  madeTools,
  settingChecks = {},
  ...places
}: EntryPlaces): EntryCheck {
  return async (configuration, changed) => {
    if (changed.length === 0) return [];
    const ids = namesBelow(["plugins", "entries"], configuration, changed);
    const channels = namesBelow(["channels"], configuration, changed);
    const plugins = await pluginsFor(configuration, { workspaceOf, ...places });
    const loaded = running?.();
    const knownIds = [...plugins, ...(loaded?.plugins ?? [])].map(({ id }) => id);
    const offered = [
      ...plugins.flatMap(({ permissions }) => permissions.channels ?? []),
      ...(loaded?.channels ?? []).map(({ id }) => id),
    ];
    const mayOfferOthers = plugins.some(
      ({ origin, permissions }) => origin !== "bundled" && permissions.channels === undefined,
    );
    const ofPlugins = await Promise.all(
      ids.map(async (id): Promise<readonly ConfigurationProblem[]> => {
        const plugin = plugins.find((each) => each.id === id);
        if (plugin !== undefined) return await pluginProblems(plugin, configuration);
        if (knownIds.includes(id)) return [];
        const path = ["plugins", "entries", id];
        const advice = "install it first with `openclaw plugins install`";
        return [unknown(path, `no plugin "${id}" is installed`, knownIds, advice, configuration)];
      }),
    );
    const ofChannels = await Promise.all(
      channels.map(async (name): Promise<readonly ConfigurationProblem[]> => {
        const schema = sectionSchemaIn(name, plugins, configuration);
        if (schema !== undefined)
          return await sectionProblems({ name, schema, configuration, changed });
        if (offered.includes(name)) return [];
        // A plugin whose manifest declares no channels can still offer one.
        if (mayOfferOthers && nearestName(name, offered) === undefined) return [];
        const message = `no plugin offers a channel "${name}"`;
        const advice = `the channels are ${[...new Set(offered)].sort().join(", ")}`;
        return [unknown(["channels", name], message, offered, advice, configuration)];
      }),
    );
    const made = canNameTools(changed) ? await madeTools?.() : undefined;
    const ofNames = await namedProblems(
      { configuration, stateDir: places.stateDir, workspaceDir: workspaceOf(configuration) },
      { plugins, running: loaded, made },
      changed,
    );
    const known = knownNames(plugins, loaded, made);
    const { warnings } = hostPolicy(configuration, HOST_TOOL_NAMES, known.tools, plugins);
    const ofPolicy = unknownEntries(configuration, warnings, changed, known.open);
    const place = (path: readonly (string | number)[]): ReturnType<typeof startOf> =>
      configuration.locate(path) ??
      (path.length === 0 ? startOf(configuration) : place(path.slice(0, -1)));
    const checks = Object.entries(settingChecks).filter(([id]) => ids.includes(id));
    const ofSettings = await problemsOfPlugins(
      configuration.value,
      place,
      Object.fromEntries(checks),
    );
    return [...ofChannels.flat(), ...ofPlugins.flat(), ...ofSettings, ...ofNames, ...ofPolicy];
  };
}

/** Sections that hold tools are below `tools`, or below an agent or a group whose whole entry is written. */
function canNameTools(changed: readonly (readonly string[])[]): boolean {
  return changed.some((path) => path.length <= 2 || path.includes("tools"));
}

/** Channel that a change names and that lacks settings. */
export interface IncompleteChannel extends IncompleteAccount {
  readonly channel: string;
}

/**
 * Returns the channels that a change names and that are not started yet, because they lack settings (GW-780).
 * @param configuration - configuration with the change
 * @param changed - paths of the change
 * @param places - locations of plugins
 */
export async function incompleteChannels(
  configuration: LoadedConfiguration,
  changed: readonly (readonly string[])[],
  places: EntryPlaces,
): Promise<readonly IncompleteChannel[]> {
  const names = namesBelow(["channels"], configuration, changed);
  if (names.length === 0) return [];
  const plugins = await pluginsFor(configuration, places);
  return names.flatMap((channel) => {
    const schema = sectionSchemaIn(channel, plugins, configuration);
    if (schema === undefined) return [];
    const accounts = incompleteAccounts(sectionIn(channel, configuration), schema);
    return accounts.map((account) => ({ channel, ...account }));
  });
}

/**
 * Returns the channels that a change names and whose settings nothing checks, because no plugin has a schema for them
 * (GW-902).
 * @param configuration - configuration with the change
 * @param changed - paths of the change
 * @param places - locations of plugins
 */
export async function uncheckedChannels(
  configuration: LoadedConfiguration,
  changed: readonly (readonly string[])[],
  places: EntryPlaces,
): Promise<readonly string[]> {
  const names = namesBelow(["channels"], configuration, changed);
  if (names.length === 0) return [];
  const plugins = await pluginsFor(configuration, places);
  return names.filter((name) => sectionSchemaIn(name, plugins, configuration) === undefined);
}

type Plugins = PluginInspection["plugins"];

/** Finds the plugins; one whose manifest has no schemas has those of its last load. */
async function pluginsFor(
  configuration: LoadedConfiguration,
  { workspaceOf, running: _running, madeTools: _madeTools, ...places }: EntryPlaces,
): Promise<Plugins> {
  const workspaceDir = workspaceOf(configuration);
  const { plugins } = await inspectPlugins({ ...places, configuration, workspaceDir });
  const loads = lastLoads(places.stateDir);
  return plugins.map((plugin) => {
    const load = Object.hasOwn(loads, plugin.id) ? loads[plugin.id] : undefined;
    if (load?.channelSettings === undefined || load.rootDir !== plugin.rootDir) return plugin;
    return { ...plugin, channelSettings: { ...load.channelSettings, ...plugin.channelSettings } };
  });
}

/** A plugin that is off keeps its settings for later, so that they are checked too, except for what it requires. */
async function pluginProblems(
  plugin: Plugins[number],
  configuration: LoadedConfiguration,
): Promise<readonly ConfigurationProblem[]> {
  const { file = "" } = configuration;
  const { enabled, settingsSchema, id, ...others } = plugin;
  if (settingsSchema === undefined) return configProblemsOf(plugin, configuration, file);
  const config = Object(valueAt(configuration.value, ["plugins", "entries", id, "config"]));
  const checked = await checkPluginConfig(config, describedOnly(settingsSchema));
  const all = "problems" in checked ? checked.problems : [];
  const configProblems = all.filter((problem) => enabled || !problem.includes("required"));
  return configProblemsOf({ ...others, id, enabled: true, configProblems }, configuration, file);
}

/**
 * Leaves out alternatives that match everything, and accepts only the described keys where `x-keys` is "described": a plugin
 * is loaded with a setting that a part of it rejects, but a new value has to be one that the schema describes.
 */
function describedOnly(schema: JsonSchema): JsonSchema {
  const { anyOf, properties } = schema;
  const options: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  const described = options.filter(isSchema).map(describedOnly);
  const below = Object.entries(Object(properties)).map(
    ([key, each]) => [key, isSchema(each) ? describedOnly(each) : each] as const,
  );
  return {
    ...schema,
    ...(schema["x-keys"] === "described" && { additionalProperties: false }),
    ...(described.length > 0 && { anyOf: described }),
    ...(below.length > 0 && { properties: Object.fromEntries(below) }),
  };
}

function sectionIn(name: string, { value }: LoadedConfiguration): Record<string, unknown> {
  return Object(valueAt(value, ["channels", name]));
}

function sectionSchemaIn(name: string, plugins: Plugins, configuration: LoadedConfiguration) {
  if (HOST_CHANNELS.includes(name)) return NO_SETTINGS;
  return sectionSchemaOf(name, sectionIn(name, configuration), plugins);
}

/** The channels of the host have the settings that every channel has. */
const NO_SETTINGS = { type: "object", properties: {}, additionalProperties: false };

/** Compares the settings of each account of a channel with a schema, and finds the required ones that a change removes. */
async function sectionProblems({
  name,
  schema,
  configuration,
  changed,
}: {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly configuration: LoadedConfiguration;
  readonly changed: readonly (readonly string[])[];
}): Promise<ConfigurationProblem[]> {
  const section = sectionIn(name, configuration);
  const { required: _required, ...settings } = schema;
  const { accounts, ...common } = section;
  const own = Object.entries(Object(settings.properties));
  // The section is checked as a whole when its schema describes the accounts.
  const isWhole = own.some(([key]) => key === "accounts");
  const others = commonChannelKeys().filter((key) => !isWhole || key !== "accounts");
  const everyChannel = others.map((key) => [key, {}] as const);
  const checkedAs = {
    ...settings,
    properties: Object.fromEntries([...own, ...everyChannel]),
  };
  const named: readonly [string, unknown][] = isWhole ? [] : Object.entries(Object(accounts));
  const all = named.length === 0 ? [[undefined, {}] as const] : named;
  const found = await Promise.all(
    all.map(async ([account, ofAccount]) => {
      const above = ["channels", name, ...(account === undefined ? [] : ["accounts", account])];
      const value = isWhole ? section : { ...common, ...Object(ofAccount) };
      const checked = await checkPluginConfig(value, checkedAs);
      const problems = "problems" in checked ? checked.problems : [];
      return problems.flatMap((text) => problemAt(above, text, value, configuration) ?? []);
    }),
  );
  const removed = incompleteAccounts(section, schema).flatMap(({ lacks }) =>
    changed.filter(
      (path) => path[1] === name && path.length > 2 && lacks.includes(path.at(-1) ?? ""),
    ),
  );
  const needed = removed
    .filter((path) => valueAt(configuration.value, path) === undefined)
    .map((path) => {
      const message = `${name} does not work without ${path.at(-1)}`;
      const suggestion = `to stop the channel set channels.${name}.enabled to false`;
      const place = configuration.locate(path.slice(0, -1)) ?? startOf(configuration);
      return { key: path.join("."), message, suggestion, ...place };
    });
  return [...found.flat(), ...needed];
}

/** Returns undefined for a value that refers to a secret, which is checked when it is used. */
function problemAt(
  above: readonly string[],
  text: string,
  value: unknown,
  configuration: LoadedConfiguration,
): ConfigurationProblem | undefined {
  const [pointer = "", ...rest] = text.split(": ");
  const below = pointer.split("/").filter((part) => part !== "");
  const found = valueAt(value, below);
  if (typeof found === "string" && found.includes("${secret:")) return undefined;
  const path = [...above, ...below];
  const { locate } = configuration;
  return {
    key: path.join("."),
    message: rest.join(": "),
    ...(locate(path) ?? locate(above) ?? startOf(configuration)),
  };
}

function startOf({ file = "" }: LoadedConfiguration) {
  return { file, line: 1, column: 1 };
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
  configuration: LoadedConfiguration,
): ConfigurationProblem {
  return {
    key: path.join("."),
    message,
    suggestion: didYouMean(nearestName(path.at(-1) ?? "", known)) ?? advice,
    ...(configuration.locate(path) ?? startOf(configuration)),
  };
}
