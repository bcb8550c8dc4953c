import { join } from "node:path";
import type { LoadedConfiguration } from "@openclaw/configuration";
import { defined, systemClock } from "@openclaw/foundation";
import type { Caller, InboundMessage } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import { OPERATOR_CALL } from "@openclaw/protocol";
import type { RuleSet } from "@openclaw/safety";
import type { LiveListener } from "./clients/live-listener.js";
import type { GatewayOptions } from "./gateway-options.js";
import { NO_CLIENTS, openHost } from "./host/host.js";
import { readinessChecks } from "./host/readiness.js";
import type { Host } from "./host/running-host.js";
import { probeSandbox, sandboxNotice } from "./host/sandbox-state.js";
import { StartSequence, type StartStep } from "./host/start-sequence.js";
import { GatewayExtensions } from "./host/tools/extensions.js";
import { reportUnattendedTools } from "./host/tools/unattended.js";
import { approversOf } from "./nodes/approvers.js";
import { joinNodes } from "./nodes/join.js";
import { assertNamedPlugins } from "./plugins/named-plugins.js";
import { openPush } from "./push/open.js";
import { ConfigurationControl } from "./reload/control.js";
import { LiveConfiguration } from "./reload/live-configuration.js";
import type { Gateway } from "./running-gateway.js";
import { BOOTSTRAP_FILE, takeOverBootstrap } from "./settings/bootstrap-file.js";
import { withSettings } from "./settings/layer.js";
import { openBase } from "./start/base.js";
import { loadServer, serveClients } from "./start/clients.js";
import { entryCheckOf } from "./start/entry-check.js";
import { lazyMethods } from "./start/methods.js";
import { HostPhase } from "./start/phase.js";
import { PluginGuard } from "./start/plugin-guard.js";
import { openModelStreams, openSecrets } from "./start/secrets.js";
import { stopOnce } from "./start/shutdown.js";
import { announceModel } from "./state/model-notice.js";
import { scheduleRetention } from "./upkeep/retention-schedule.js";
import { agentWorkspace } from "./workspaces/agent-workspace.js";
import { LiveWorkspace } from "./workspaces/live-workspace.js";

/** Steps of a start that have ended. */
interface Progress {
  readonly durations: Map<StartStep["name"], number>;
  failed: StartStep | undefined;
}

/**
 * Starts a host: state folder, lock, log, store, secrets, plugins, `gateway_pre_start`, services, listener,
 * recovery and `gateway_start`, in this order; a step that fails is reported by its name and undoes the steps
 * before it (GW-001).
 * @param options - location of its state, and what it serves
 * @throws StateFolderError, StateLockedError, SchemaTooNewError, PortTakenError, ModelNotFoundError
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const progress: Progress = { durations: new Map(), failed: undefined };
  const sequence = new StartSequence((step) => {
    progress.durations.set(step.name, step.durationMs);
    if (step.error !== undefined) progress.failed = step;
    options.onStep?.(step);
  });
  try {
    return await start(options, sequence, progress);
  } catch (error) {
    await sequence.run();
    throw error;
  }
}

async function start(
  options: GatewayOptions,
  sequence: StartSequence,
  progress: Progress,
): Promise<Gateway> {
  const { version, environment, configurationChecks: checks } = options;
  const startedAt = Date.now();
  const configuration = new LiveConfiguration(options.configuration);
  const workspace = new LiveWorkspace({
    ...{ configuration, initial: options.workspaceDir, stateDir: options.stateDir },
    workspaceOf: options.workspaceOf?.bind(options),
  });
  const phase = new HostPhase();
  let guard: PluginGuard | undefined;
  // Undone last, so that what plugins leave unhandled until then does not end the process.
  sequence.add(() => guard?.end());
  const base = await openBase(options, configuration, sequence, () => progress.failed);
  const { state, log, logger, hostStore } = base;
  const { store, pluginStores } = hostStore;
  let clients: LiveListener | undefined;
  let opened: Host | undefined;
  const node = await joinNodes(
    { store, logger, version, host: () => opened, url: () => clients?.url },
    sequence,
    options.isForCommand,
  );
  const guarding = new PluginGuard(logger, phase);
  guard = guarding;
  sequence.add(() => guarding.stopWatching());
  const serving = await loadServer(options.port, { store, logger }, sequence);
  if (options.ownsProcess === true) {
    guarding.watchProcess(() =>
      phase.isReady && clients !== undefined ? `${clients.url}/healthz` : undefined,
    );
  }
  const overlay = async (loaded: LoadedConfiguration) =>
    withSettings(loaded, await store.settings.list(), { checks, environment });
  const loading = { checks, environment, overlay };
  await sequence.step("settings", async () => {
    if (options.isForCommand !== true && options.inMemory !== true) {
      const place = { store, configuration: options.configuration, options: loading, logger };
      await takeOverBootstrap(join(state.dir, BOOTSTRAP_FILE), place);
    }
    configuration.replace(await overlay(options.configuration));
    base.setLogLevels(configuration.value);
  });
  const events = serving?.hub;

  const { vault, redaction, references } = openSecrets(base, store, options);
  let rulesOfHost: () => RuleSet | undefined = () => undefined;
  const rules = () => rulesOfHost() ?? redaction.ruleSet;
  const modelStreams = openModelStreams(options.rawStream, rules, logger);
  sequence.add(() => modelStreams?.close());
  await sequence.step("secrets", async () => {
    configuration.replace(configuration.current, await references.resolve(configuration));
    await hostStore.prepareJournal();
    await serving?.nodeEvents?.open();
  });
  const host = await openHost({
    ...{ ...options, configuration, state, log, store, pluginStores, events, modelStreams },
    faults: guarding.faults,
    get workspaceDir() {
      return workspace.dir;
    },
    get pluginConfiguration() {
      return configuration.resolved;
    },
    secretRules: () => redaction.rules,
    gateway: {
      methods: () => methods(),
      restart: options.onRestart,
      extensions: () => extensions,
    },
    step: sequence.step,
    onPluginsLoaded: (plugins) => {
      if (options.requirePluginPaths) assertNamedPlugins(options.pluginPaths ?? [], plugins);
    },
  });
  opened = host;
  sequence.add(() => host.plugins.dispose());
  rulesOfHost = () => host.logRules;
  guarding.connect({
    plugins: host.plugins,
    disable: async (id) => (await methods()).call("plugins.disable", { id }),
  });
  const modelNotice = announceModel(state, host.model);
  const { sandbox, unattendedTools } = await reportSafety(
    { ...options, stateDir: state.dir },
    configuration,
    host,
    logger,
  );

  const control = new ConfigurationControl({
    file: options.configurationFile,
    options: { ...loading, checkEntries: entryCheckOf(options, state.dir, () => host) },
    live: configuration,
    initial: options.configuration,
    store,
    ...{ host, state, logger, workspace, vault },
    setLogLevels: base.setLogLevels,
    events: events ?? NO_CLIENTS,
    timers: systemClock,
    forPlugins: (loaded) => references.resolve(loaded),
    configureListener: async ({ gateway }, { value }) =>
      clients?.apply({
        section: { ...gateway, ...defined({ bind: options.bind }) },
        port: options.portOf?.(value) ?? options.port ?? 0,
      }),
  });
  sequence.add(() => control.close());
  let chatted = false;
  const receive = async (message: InboundMessage, caller?: Caller) => {
    // Wait, because recovery would treat an earlier message as one that another process left behind.
    await phase.opened;
    chatted = true;
    return host.receive(message, caller);
  };
  const ready = () => {
    const { ref } = host.model;
    return readinessChecks({
      phase: phase.current,
      store,
      plugins: host.plugins.current,
      channels: host.channels.manager.status,
      configuration: control.notice,
      model: { ref, isProvided: host.provides(ref) },
      node,
    });
  };
  const push = openPush({ state, attend: (each) => host.attend(each), configuration, logger });
  sequence.add(() => push.stop());
  const methods = lazyMethods(options, configuration, control, {
    push: push.notifications,
    ...{ host, store, state, pluginStores, log, logger, receive, vault },
    events: events ?? NO_CLIENTS,
    workspace,
    facts: { startedAt, ready },
    access: () => clients?.current.access,
    connections: () => clients?.current.devices,
  });
  const methodsOfAll = async () => {
    const server = await import("@openclaw/server");
    return new server.PluginGatewayMethods(await methods(), { plugins: host.plugins, logger });
  };
  const extensions = new GatewayExtensions({
    ...{ methods, workspaceDir: workspace.dir },
    callPlugin: async (...call) => (await methodsOfAll()).dispatch(...call, OPERATOR_CALL),
    origin: () => browserOrigin(configuration, clients),
    onPluginsChanged: (listener) => host.plugins.onChanged(listener),
  });
  if (options.isForCommand !== true) {
    sequence.add(() => host.channels.manager.close());
    await sequence.step("channels", () => host.openChannels());
  }
  if (serving !== undefined) {
    clients = await serveClients(
      base,
      {
        ...{ ...serving, host, store, version, methods, receive, ready },
        console: options.console,
        isReady: () => phase.isReady,
        // The first chat after a change of model shows a notice.
        model: () => ({
          ref: host.model.ref,
          ...defined({ notice: chatted ? undefined : modelNotice?.text }),
        }),
      },
      configuration,
      { bind: options.bind, sequence },
    );
  }
  const isLeading = node?.isLeading ?? true;
  const recoveredTurns = await beginWork(options, host, isLeading, {
    ...{ sequence, port: clients?.current.port },
  });
  const { tasks } = host;
  const retention = scheduleRetention({ store, configuration, tasks, logger });
  sequence.add(() => {
    retention.close();
    return tasks.close();
  });
  await control.start(options.lastGoodInsteadOf);
  if (options.isForCommand !== true) {
    node?.start(host, isLeading);
    if (node !== undefined) {
      host.shareApprovers(
        () => approversOf(node.others),
        () => node.changed(),
      );
    }
  }
  phase.open();
  logger.info(`OpenClaw ${version} is ready`, {
    ...{ port: clients?.current.port, model: host.model.ref },
    steps: [...progress.durations].map(([name, ms]) => `${name} ${ms} ms`).join(", "),
  });

  return {
    get url() {
      return clients?.url;
    },
    networkNotice: clients?.current.networkNotice,
    ...{ state, modelNotice, unattendedTools, sandbox, methods, receive },
    get workspaceDir() {
      return workspace.dir;
    },
    get model() {
      return host.model;
    },
    workspaceOf: (agentId) =>
      agentWorkspace(configuration, workspace.dir, agentId) ?? workspace.dir,
    database: store.database,
    storeNotices: hostStore.notices,
    get plugins() {
      return host.plugins.current;
    },
    get policyWarnings() {
      return host.services.policy.warnings;
    },
    get unknownNames() {
      return host.unknownNames;
    },
    reloadConfiguration: () => control.reload(),
    methodsOfAll,
    approvals: host.approvals,
    attend: (approver) => host.attend(approver),
    onEvent: (listener) =>
      events?.subscribe({
        caller: { scopes: ["operator.admin"] },
        wants: () => true,
        send: ({ name, json }) => listener({ event: name, payload: JSON.parse(json) }),
      }) ?? (() => {}),
    logPrinted: (pluginId, line) => log.logger("plugins").info(line, { pluginId }),
    recoveredTurns,
    stop: stopOnce({ phase, host, clients, guard: guarding, sequence }, configuration, logger),
  };
}

/** Returns the URL at which browsers reach the gateway: the public one, or that of this machine. */
function browserOrigin(
  { value: { gateway } }: LiveConfiguration,
  clients: LiveListener | undefined,
): string | undefined {
  const url = gateway?.publicUrl?.replace(/\/+$/, "");
  return url ?? (clients && `http://127.0.0.1:${clients.current.port}`);
}

/** Finds out what runs without approval and whether commands run in a sandbox, and logs both. */
async function reportSafety(
  { workspaceDir, stateDir, approvedTools = [] }: GatewayOptions,
  configuration: LiveConfiguration,
  host: Host,
  logger: Logger,
): Promise<Pick<Gateway, "sandbox" | "unattendedTools">> {
  const sandboxState = await probeSandbox(configuration, workspaceDir, stateDir);
  const tools = host.services.policy.tools.map(({ name }) => name);
  const found = { approvedTools, tools, isSandboxActive: sandboxState.active };
  const unattendedTools = reportUnattendedTools(configuration, found, logger);
  const sandbox = sandboxNotice(sandboxState);
  logger.info(`sandbox ${sandbox}`);
  return { sandbox, unattendedTools };
}

/** Resumes the turns of an earlier process and fires `gateway_start`; a host for one command does neither. */
async function beginWork(
  { isForCommand = false }: GatewayOptions,
  host: Host,
  isLeading: boolean,
  {
    sequence: { step },
    port,
  }: { readonly sequence: StartSequence; readonly port: number | undefined },
): Promise<number> {
  const recovered = await step("recovery", async () => {
    if (!isForCommand) return host.recover(isLeading);
    await host.prepare();
    return 0;
  });
  if (!isForCommand) await step("gateway_start", () => host.announce(port ?? 0));
  return recovered;
}
