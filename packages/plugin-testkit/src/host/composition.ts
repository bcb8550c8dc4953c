import {
  type LoadedConfiguration,
  loadConfiguration,
  type OpenClawConfiguration,
} from "@openclaw/configuration";
import { waitAtMost } from "@openclaw/foundation";
import {
  createHostEvents,
  createPluginSecrets,
  type Host,
  MasterKeys,
  openHost,
  stateFolderAt,
} from "@openclaw/gateway";
import { createScriptedModel, type ModelScript, type ScriptedModel } from "@openclaw/models";
import { slotsOfKind } from "@openclaw/plugin-discovery";
import type { ModelProvider } from "@openclaw/plugin-sdk";
import { createPluginStores, openStore } from "@openclaw/store";
import { createTestClock, type TestClock } from "./clock.js";
import { TestConversation } from "./conversation.js";
import type { TestFolder } from "./folder.js";
import type { Leftover, LeftoverWatch } from "./leftovers.js";
import { createRecordedLog, type RecordedLog } from "./recorded-log.js";
import { TestRequests } from "./requests.js";
import { scriptedSearch, withScriptedSearch } from "./scripted-search.js";
import type { HookTrace, TestHostOptions } from "./test-host.js";
import { belongsTo, type PluginPlace, placePlugin, testedRecords } from "./tested-plugin.js";

/** While the host stops, the clock advances in steps, so that a hanging handler is cut off soon. */
const STOPPING = { everyMs: 10, advanceMs: 1000 } as const;

/** Limits the wait for a hanging handler of the host's start. */
const START_PATIENCE_MS = 500;

const PROVIDER_ID = "scripted";
const MODEL_ID = "model";

/** Dependencies of a running test host. */
export interface TestHostDependencies {
  readonly pluginId: string;
  readonly host: Host;
  readonly conversation: TestConversation;
  readonly clock: TestClock;
  readonly log: RecordedLog;
  readonly trace: readonly HookTrace[];
  readonly modelRequests: ScriptedModel["requests"];
  readonly folder: TestFolder;
  readonly requests: TestRequests;
  /** Closes the storage of plugins, and the store if the host owns it. */
  closeStore(): Promise<void>;
}

/**
 * Composes the real host in memory and starts it.
 * @param options - the plugin, and the settings of the host
 * @param folder - an empty folder
 * @throws PluginMissingError when a path does not exist
 * @throws PluginNotLoadedError when the plugin does not run
 * @throws ConfigurationError when the configuration is wrong
 */
export async function openTestHost<Config>(
  options: TestHostOptions<Config>,
  folder: TestFolder,
): Promise<TestHostDependencies> {
  const { stateDir, workspaceDir } = folder;
  const { clock = createTestClock(), neighbours = [] } = options;
  folder.writeWorkspace(options.files ?? {});
  const place = await placePlugin(options.plugin, options.manifest ?? {}, stateDir);
  const configuration = await configure(options, place, folder);
  const { model, webSearch } = options;
  const searches = webSearch === undefined ? [] : [scriptedSearch(webSearch)];
  const scripted = typeof model === "string" || model === undefined ? undefined : script(model);
  const store = options.store ?? (await openStore({ file: ":memory:", now: () => clock.now() }));
  const state = stateFolderAt(stateDir);
  // A key file in the folder of the test; the keychain is that of the person who runs it.
  const keys = new MasterKeys(state, {}, async () => undefined);
  const pluginStores = createPluginStores({
    store,
    now: () => clock.now(),
    secrets: createPluginSecrets(async () => store, keys),
  });
  const closeStore = async () => {
    await pluginStores.close();
    if (options.store === undefined) await store.close();
  };
  const log = createRecordedLog();
  const hub = await createHostEvents(() => clock.now());
  const version = "0.0.0";
  try {
    const host = await openHost({
      version,
      pluginApi: options.api,
      sdkModules: options.sdkModules,
      configuration,
      workspaceDir,
      bundledExtensions: [],
      pluginPaths: place.pluginPaths,
      // Routes and methods of plugins are served once a test sends a request.
      port: 0,
      inlinePlugins: [...place.inlinePlugins, ...neighbours, ...searches],
      providers: scripted === undefined ? [] : [providerOf(scripted)],
      environment: { PATH: process.env.PATH },
      hooks: { clock },
      now: () => clock.now(),
      timers: clock,
      state,
      events: hub,
      store,
      pluginStores,
      log,
      onPluginsLoaded: (plugins) => void testedRecords(plugins, place.id),
      ...modelChoice(options, scripted),
    });
    const trace: HookTrace[] = [];
    host.plugins.inspection.trace((dispatch) => trace.push(dispatch));
    const conversation = new TestConversation(host, options);
    await host.serve(0);
    await waitAtMost(START_PATIENCE_MS, host.started);
    const modelRequests = scripted?.requests ?? [];
    const requests = new TestRequests({
      ...{ host, store, hub, version, tokenFile: state.tokenFile },
      logger: log.logger("gateway"),
      configuration: configuration.value,
      signal: conversation.signal,
    });
    return {
      pluginId: place.id,
      host,
      conversation,
      clock,
      log,
      trace,
      modelRequests,
      folder,
      requests,
      closeStore,
    };
  } catch (error) {
    await closeStore();
    throw error;
  }
}

/**
 * Stops the host and disposes its plugins.
 * @param parts - parts of an open host
 * @param watch - the watch that it ran in
 * @returns leftovers of the plugin under test
 */
export async function closeTestHost(
  parts: TestHostDependencies,
  watch: LeftoverWatch,
): Promise<readonly Leftover[]> {
  const { host, conversation, clock, pluginId, requests } = parts;
  conversation.end();
  await letTimePass(
    clock,
    watch.run(() => host.close("command", (drain) => requests.close("command", drain))),
  );
  await parts.closeStore();
  const handlers = host.plugins.inspection
    .registrations()
    .filter(({ owner }) => belongsTo(pluginId, owner))
    .map(({ hook, source }) => ({
      kind: `a handler of "${hook}"`,
      place: source ?? "an unknown place",
    }));
  return [...handlers, ...(await watch.leftovers())];
}

async function letTimePass(clock: TestClock, work: Promise<void>): Promise<void> {
  let isOver = false;
  const settled = work.finally(() => {
    isOver = true;
  });
  settled.catch(() => undefined);
  while (!isOver) {
    await waitAtMost(STOPPING.everyMs, settled);
    if (!isOver) await clock.advance(STOPPING.advanceMs);
  }
  await settled;
}

/**
 * The configuration is read as from a file, so that a test gets the errors that an operator would
 * get.
 */
async function configure<Config>(
  { config: given, pluginConfig, webSearch }: TestHostOptions<Config>,
  { id, kind }: PluginPlace,
  folder: TestFolder,
): Promise<LoadedConfiguration> {
  const config = webSearch === undefined ? given : withScriptedSearch(given);
  const plugins = withSlots(pluginsSection(config, id, pluginConfig), id, kind);
  // A failing step of a script is one failing request, and the clock of the test would have to end the waits.
  const file = { models: { retry: { retries: 0 } }, ...config, plugins };
  return loadConfiguration(folder.writeState("openclaw.json", JSON.stringify(file, null, 2)));
}

function pluginsSection(config: OpenClawConfiguration = {}, id: string, pluginConfig: unknown) {
  const { plugins = {} } = config;
  if (pluginConfig === undefined) return plugins;
  const { entries = {} } = plugins;
  return { ...plugins, entries: { ...entries, [id]: { ...entries[id], config: pluginConfig } } };
}

/** The plugin under test has the slot of its kind, unless the configuration says otherwise. */
function withSlots(
  plugins: ReturnType<typeof pluginsSection>,
  id: string,
  kind: PluginPlace["kind"],
) {
  const needed = slotsOfKind(kind).map(({ name }) => [name, id] as const);
  return needed.length === 0
    ? plugins
    : { ...plugins, slots: { ...Object.fromEntries(needed), ...plugins.slots } };
}

function script(model: ModelScript): ScriptedModel {
  return createScriptedModel(model, { provider: PROVIDER_ID, modelId: MODEL_ID });
}

/**
 * The model that the test names, else the one that its configuration names, else the model that
 * needs no setup.
 */
function modelChoice<Config>(
  { model, config }: TestHostOptions<Config>,
  scripted: ScriptedModel | undefined,
): { model?: string } {
  if (scripted !== undefined) return { model: `${PROVIDER_ID}/${MODEL_ID}` };
  if (typeof model === "string") return { model };
  return config?.agents?.defaults?.model === undefined ? { model: "demo/echo" } : {};
}

function providerOf(model: ScriptedModel): ModelProvider {
  return {
    id: PROVIDER_ID,
    defaultModel: MODEL_ID,
    paid: false,
    setup: "give createTestHost a model script",
    credential: { source: "the test" },
    languageModel: () => model,
    listModels: () => [MODEL_ID],
  };
}
