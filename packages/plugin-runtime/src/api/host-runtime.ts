import { join } from "node:path";
import type { HostRuntime, Logger, PluginStore } from "@openclaw/plugin-sdk";
import type {
  HostAgentPort,
  HostServices,
  HostStoragePort,
  KeyedStoreOptions,
  PatternOptions,
  RuntimePlugins,
  RuntimeTools,
  VisibleConfig,
} from "@openclaw/plugin-sdk/services";
import {
  findSecrets,
  LinearPattern,
  type NetworkClient,
  redactLogFields,
  sanitizeText,
} from "@openclaw/safety";
import type { PluginInstance } from "../instances/instance.js";
import type { PermissionGate } from "../instances/permission-gate.js";
import { openKeyedStore } from "./keyed-store.js";
import { createRuntimeMessages } from "./message-sending.js";
import { missingCapability, withAbsent, withAbsentInGroups } from "./missing-capability.js";
import { namesHost } from "./network-hosts.js";
import { createRuntimeOAuth } from "./oauth-tokens.js";
import { createRuntimeConfig } from "./runtime/config.js";
import { createRuntimeEmbeddings } from "./runtime/embeddings.js";
import { createAgentRun, createCompletion } from "./runtime/models.js";
import { createRuntimeSubagents } from "./runtime/subagent.js";
import { createRuntimeSystem } from "./runtime/system.js";
import { createRuntimeSpeech } from "./speech-access.js";
import { createToolInvocation } from "./tool-invocation.js";

/** Dependencies of a plugin's `api.runtime`. */
export interface RuntimeContext {
  /** Version of the host; absent when it has not given one. */
  readonly hostVersion?: string | undefined;
  readonly services: HostServices;
  /** Sends the requests of `api.runtime.fetch`. */
  readonly network: NetworkClient;
  readonly stateDir?: string | undefined;
  readonly workspaceDir?: string | undefined;
  /** Returns whether the workspace is trusted. */
  readonly isWorkspaceTrusted: () => boolean;
  /** Manifests of the enabled plugins. */
  readonly plugins: RuntimePlugins;
  /**
   * Returns the host's current configuration as one plugin may see it.
   * @param channels - channels that its manifest declares
   */
  visibleConfig(pluginId: string, channels: readonly string[]): VisibleConfig;
}

/** Values that the host derives for one plugin. */
export interface PluginView {
  /** Version of the host in the numbering that the plugin uses. */
  readonly version: string;
  /** Returns the host's current configuration as the plugin may see it. */
  readonly visibleConfig: () => VisibleConfig;
  /** Returns the plugin's store, opened on first use. */
  readonly store: () => PluginStore;
}

/**
 * Creates the `api.runtime` of one plugin: the capabilities of the host, limited by the plugin's
 * permissions. A capability that the host lacks is undefined (PLUG-041, PLUG-045).
 * @param gate - enforces the plugin's manifest
 * @param host - capabilities of the host
 * @param own - values that the host derives for this plugin
 */
export function createHostRuntime(
  instance: PluginInstance,
  gate: PermissionGate,
  host: RuntimeContext,
  own: PluginView,
): HostRuntime {
  const { services, stateDir, workspaceDir } = host;
  const { speech } = services;
  const { memoryTools, embeddings, complete, runAgent, sessionMessages, deleteSession, openStore } =
    services;
  const { invokeTool, accessToken } = services;
  const fetch = createFetch(instance, gate, host);
  const group = <Abilities extends object>(name: string, abilities: Abilities) =>
    withAbsent(instance, `runtime.${name}`, abilities);
  return withAbsent(instance, "runtime", {
    version: own.version,
    config: group("config", createRuntimeConfig(instance, services, own.visibleConfig)),
    state: group("state", {
      ...(stateDir === undefined ? {} : { resolveStateDir: () => stateDir }),
      ...(openStore === undefined
        ? {}
        : {
            openKeyedStore: <Value>(options: KeyedStoreOptions) =>
              openKeyedStore<Value>(instance, options, () => own.store().kv),
          }),
    }),
    system: group("system", createRuntimeSystem(instance, gate, services)),
    ...(memoryTools === undefined
      ? {}
      : { tools: group("tools", toolAbilities(instance, memoryTools)) }),
    ...(complete === undefined
      ? {}
      : { llm: group("llm", { complete: createCompletion(instance, complete) }) }),
    ...(embeddings === undefined
      ? {}
      : { embeddings: group("embeddings", createRuntimeEmbeddings(instance, embeddings)) }),
    ...(speech === undefined
      ? {}
      : { speech: group("speech", createRuntimeSpeech(instance, speech)) }),
    agent: group("agent", {
      ...(stateDir === undefined
        ? {}
        : {
            resolveAgentDir: (_config?: unknown, agentId = "main") =>
              agentFolder(stateDir, agentId),
          }),
      ...(workspaceDir === undefined
        ? {}
        : {
            resolveAgentWorkspaceDir: () => workspaceDir,
            isWorkspaceTrusted: () => host.isWorkspaceTrusted(),
          }),
      ...(complete === undefined || runAgent === undefined
        ? {}
        : { runEmbeddedPiAgent: createAgentRun(instance, { complete, runAgent }) }),
      ...(invokeTool === undefined ? {} : { callTool: createToolInvocation(instance, invokeTool) }),
    }),
    ...(runAgent === undefined || sessionMessages === undefined || deleteSession === undefined
      ? {}
      : {
          subagent: createRuntimeSubagents(instance, { runAgent, sessionMessages, deleteSession }),
        }),
    logging: group("logging", {
      getChildLogger: (fields: Readonly<Record<string, unknown>>) =>
        childLogger(instance.logger, fields),
      shouldLogVerbose: () => services.isVerbose?.() ?? false,
      redact: services.redact ?? ((value: unknown) => redactLogFields(value)),
    }),
    ...(services.sendMessage === undefined
      ? {}
      : {
          messages: group(
            "messages",
            createRuntimeMessages(instance, services.sendMessage, services.requestCredential),
          ),
        }),
    ...(accessToken === undefined
      ? {}
      : { oauth: group("oauth", createRuntimeOAuth(instance, accessToken)) }),
    ...(services.channelRuntime === undefined
      ? {}
      : {
          channel: withAbsentInGroups(
            instance,
            "runtime.channel",
            services.channelRuntime(instance.id, { config: own.visibleConfig, fetch }),
          ),
        }),
    patterns: group("patterns", {
      compile: (source: string, options?: PatternOptions) => new LinearPattern(source, options),
    }),
    plugins: group("plugins", {
      declaredHooks: () => host.plugins.declaredHooks(),
      declaredServers: () => host.plugins.declaredServers(),
      onChanged: (listener: () => void) => host.plugins.onChanged(listener),
    }),
    safety: group("safety", {
      findSecrets: services.findSecrets ?? ((text: string) => findSecrets(text)),
      findInjections: (text: string) =>
        sanitizeText(text).findings.map(({ rule, severity, preview }) => ({
          rule,
          severity,
          marker: preview,
        })),
    }),
    checkUrl: (url: string | URL) => host.network.checkUrl(url),
    fetch,
  });
}

/**
 * The folder in which the host stores the data of an agent.
 * @param stateDir - the host's state folder
 * @param agentId - for example `main`
 */
export function agentFolder(stateDir: string, agentId: string): string {
  return join(stateDir, "agents", agentId);
}

function toolAbilities(
  instance: PluginInstance,
  memoryTools: NonNullable<HostAgentPort["memoryTools"]>,
): RuntimeTools {
  return {
    createMemorySearchTool(request) {
      instance.assertAlive("runtime.tools.createMemorySearchTool");
      return memoryTools.search(instance.id, request);
    },
    createMemoryGetTool(request) {
      instance.assertAlive("runtime.tools.createMemoryGetTool");
      return memoryTools.get(instance.id, request);
    },
  };
}

function createFetch(
  instance: PluginInstance,
  gate: PermissionGate,
  { services: { fetch: hostFetch }, network }: RuntimeContext,
): HostRuntime["fetch"] {
  const assertDeclared = ({ url }: { readonly url: URL }): undefined => {
    gate.use("network.hosts", url.host, `fetch from "${url.host}"`, (hosts) =>
      namesHost(hosts, url),
    );
  };
  return async (input, init) => {
    instance.assertAlive("runtime.fetch");
    const given = input instanceof Request ? input.signal : null;
    const own = init?.signal === undefined ? given : init.signal;
    const signal = own === null ? instance.signal : AbortSignal.any([instance.signal, own]);
    return network.fetch(
      input,
      { ...init, signal },
      {
        beforeHop: gate.isOpen("network.hosts") ? undefined : assertDeclared,
        send: hostFetch && ((request) => hostFetch(instance.id, request)),
      },
    );
  };
}

function childLogger(logger: Logger, fields: Readonly<Record<string, unknown>>): Logger {
  const withFields = (more: Record<string, unknown> | undefined) => ({ ...fields, ...more });
  return {
    debug: (message, more) => logger.debug(message, withFields(more)),
    info: (message, more) => logger.info(message, withFields(more)),
    warn: (message, more) => logger.warn(message, withFields(more)),
    error: (message, more) => logger.error(message, withFields(more)),
  };
}

/**
 * Returns the store of one plugin, opened on first use; a stand-in on a host without one.
 * @param services - services of the host
 */
export function createStoreAccess(instance: PluginInstance, { openStore }: HostStoragePort) {
  type Store = ReturnType<NonNullable<HostStoragePort["openStore"]>>;
  if (openStore === undefined) return () => missingCapability(instance, "store", false) as Store;
  let opened: Store | undefined;
  return () => {
    instance.assertAlive("store");
    opened ??= openStore(instance.id);
    return opened;
  };
}
