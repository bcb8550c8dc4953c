import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { defined } from "@openclaw/foundation";
import type { HostRuntime, Logger } from "@openclaw/plugin-sdk";
import type {
  HostAgentPort,
  HostConfigurationPort,
  HostOutsidePort,
  HostServices,
  HostStoragePort,
  RunCommandOptions,
  RuntimeConfig,
  RuntimeSystem,
  RuntimeTools,
  VisibleConfig,
} from "@openclaw/plugin-sdk/services";
import type { NetworkClient } from "@openclaw/safety";
import { isInside, realPath } from "../discovery/folder.js";
import type { PluginInstance } from "../instances/instance.js";
import type { PermissionGate } from "../instances/permission-gate.js";
import { expectTexts, wrongArgument } from "../registration/check.js";
import { missingCapability, withMissing } from "./missing-capability.js";
import { namesHost } from "./network-hosts.js";

/** Dependencies of a plugin's `api.runtime`. */
export interface RuntimeContext {
  /** Version of the host; absent when it has not given one. */
  readonly hostVersion?: string | undefined;
  readonly services: HostServices;
  /** Sends the requests of `api.runtime.fetch`. */
  readonly network: NetworkClient;
  readonly stateDir?: string | undefined;
  readonly workspaceDir?: string | undefined;
  /** The host's current configuration, as one plugin may see it. */
  visibleConfig(pluginId: string): VisibleConfig;
}

/**
 * Creates the `api.runtime` of one plugin: the capabilities of the host, limited by the plugin's
 * permissions, and a stand-in for each missing one (PLUG-041, PLUG-045).
 * @param instance - the plugin
 * @param gate - enforces the plugin's manifest
 * @param host - capabilities of the host
 */
export function createHostRuntime(
  instance: PluginInstance,
  gate: PermissionGate,
  host: RuntimeContext,
): HostRuntime {
  const { id } = instance;
  const { services, stateDir, workspaceDir } = host;
  const { memoryTools, complete, runSubagent } = services;
  const group = (name: string, abilities: object = {}) =>
    withMissing(id, `runtime.${name}`, abilities);

  // The stand-ins supply the members omitted below, which the types cannot express.
  return withMissing(id, "runtime", {
    version: host.hostVersion ?? "unknown",
    config: group(
      "config",
      configAbilities(instance, services, (pluginId) => host.visibleConfig(pluginId)),
    ),
    state: group("state", stateDir === undefined ? {} : { resolveStateDir: () => stateDir }),
    system: group("system", systemAbilities(instance, gate, services)),
    tools: group("tools", memoryTools && toolAbilities(instance, memoryTools)),
    llm: group("llm", complete && { complete: asking(instance, "llm.complete", complete) }),
    agent: group("agent", {
      ...(stateDir === undefined
        ? {}
        : {
            resolveAgentDir: (_config?: unknown, agentId = "main") =>
              agentFolder(stateDir, agentId),
          }),
      ...(workspaceDir === undefined ? {} : { resolveAgentWorkspaceDir: () => workspaceDir }),
    }),
    subagent: group(
      "subagent",
      runSubagent && { run: asking(instance, "subagent.run", runSubagent) },
    ),
    logging: group("logging", {
      getChildLogger: (fields: Readonly<Record<string, unknown>>) =>
        childLogger(instance.logger, fields),
      shouldLogVerbose: () => services.isVerbose?.() ?? false,
    }),
    fetch: createFetch(instance, gate, host),
  }) as unknown as HostRuntime;
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

/** Wraps a service of the host as a method: the host names the plugin, not the plugin itself. */
function asking<Request, Answer>(
  instance: PluginInstance,
  member: string,
  ask: (pluginId: string, request: Request) => Promise<Answer>,
) {
  return async (request: Request) => {
    instance.assertAlive(`runtime.${member}`);
    return ask(instance.id, request);
  };
}

function configAbilities(
  instance: PluginInstance,
  { configFile }: HostConfigurationPort,
  visibleConfig: RuntimeContext["visibleConfig"],
): Partial<RuntimeConfig> {
  const { id } = instance;
  const current = () => visibleConfig(id);
  const reading = {
    current,
    loadConfig() {
      instance.noteUse("runtime.config.loadConfig");
      return current();
    },
  };
  if (configFile === undefined) return reading;
  return {
    ...reading,
    async writeConfigFile(config) {
      instance.assertAlive("runtime.config.writeConfigFile");
      await configFile.replace(id, config);
    },
    async mutateConfigFile(change) {
      instance.assertAlive("runtime.config.mutateConfigFile");
      await configFile.mutate(id, change);
    },
  };
}

function systemAbilities(
  instance: PluginInstance,
  gate: PermissionGate,
  { runCommand }: HostOutsidePort,
): Partial<RuntimeSystem> {
  if (runCommand === undefined) return {};
  const member = "runtime.system.runCommandWithTimeout";
  return {
    async runCommandWithTimeout(command, options) {
      instance.assertAlive(member);
      const call = { origin: instance.origin, member };
      const [program] = expectTexts(call, "command", command);
      if (program === undefined)
        throw wrongArgument(call, "command", "expected a program, got an empty list");
      const {
        timeoutMs,
        cwd = ".",
        env,
        input,
        signal,
      }: RunCommandOptions = typeof options === "number" ? { timeoutMs: options } : options;
      if (!(timeoutMs > 0)) {
        throw wrongArgument(call, "timeoutMs", `expected a time in milliseconds, got ${timeoutMs}`);
      }
      const place = resolve(instance.identity.rootDir, cwd);
      gate.use(
        "exec",
        program,
        `run "${program}"`,
        (list) => list.includes(program) || list.includes("*"),
      );
      useFolder(instance, gate, place);
      return runCommand(instance.id, {
        command,
        timeoutMs,
        cwd: place,
        signal: signal === undefined ? instance.signal : AbortSignal.any([instance.signal, signal]),
        ...defined({ env, input }),
      });
    },
  };
}

/**
 * A plugin may always use its own folder; the manifest must declare any other folder that it reads.
 */
function useFolder(instance: PluginInstance, gate: PermissionGate, folder: string): void {
  const { rootDir } = instance.identity;
  const real = realFolder(folder);
  if (isInside(real, rootDir)) return;
  gate.use("fs.read", folder, `run a command in ${folder}`, (list) =>
    list.some((entry) => entry === "*" || isInside(real, realFolder(expand(rootDir, entry)))),
  );
}

function expand(rootDir: string, entry: string): string {
  const atHome = entry === "~" || entry.startsWith("~/");
  return atHome ? join(homedir(), entry.slice(1)) : resolve(rootDir, entry);
}

/**
 * A folder that does not exist yet is checked by its name; starting the command reports the error.
 */
function realFolder(folder: string): string {
  return realPath(folder) ?? folder;
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
 * @param instance - the plugin
 * @param services - services of the host
 */
export function createStoreAccess(instance: PluginInstance, { openStore }: HostStoragePort) {
  type Store = ReturnType<NonNullable<HostStoragePort["openStore"]>>;
  if (openStore === undefined) return () => missingCapability(instance.id, "store") as Store;
  let opened: Store | undefined;
  return () => {
    instance.assertAlive("store");
    opened ??= openStore(instance.id);
    return opened;
  };
}
