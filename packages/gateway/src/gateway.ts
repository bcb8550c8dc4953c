import { mkdirSync } from "node:fs";
import { defined, errorMessage, systemClock, waitAtMost } from "@openclaw/foundation";
import { type Caller, DEFAULT_QUEUE_MODE, type InboundMessage } from "@openclaw/messaging";
import {
  guardProcess,
  PluginFaults,
  type PluginGeneration,
  watchResources,
} from "@openclaw/plugin-runtime";
import type { GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import type { RuleSet } from "@openclaw/safety";
import { acquireStateLock } from "@openclaw/store";
import type { ClientListener } from "./clients/client-listener.js";
import { variablesInUse } from "./configuration/environment.js";
import type { OpenClawConfiguration } from "./configuration/schema.js";
import type { GatewayOptions } from "./gateway-options.js";
import { NO_CLIENTS, openHost } from "./host/host.js";
import { readinessChecks } from "./host/readiness.js";
import { probeSandbox, sandboxNotice } from "./host/sandbox-state.js";
import { SHUTDOWN_MS, type StopReason } from "./host/shutdown.js";
import { StartSequence, type StartStep } from "./host/start-sequence.js";
import { reportUnattendedTools } from "./host/unattended-tools.js";
import { createFaultLog } from "./plugins/faults.js";
import { assertNamedPlugins } from "./plugins/named-plugins.js";
import { reportOpenResources } from "./plugins/open-resources.js";
import { ConfigurationControl } from "./reload/control.js";
import { LiveConfiguration } from "./reload/live-configuration.js";
import type { Gateway } from "./running-gateway.js";
import { MasterKeys } from "./secrets/master-keys.js";
import { SecretRedaction } from "./secrets/redaction.js";
import { ConfigurationSecrets } from "./secrets/references.js";
import { SecretVault } from "./secrets/vault.js";
import { openStateFolder } from "./state/folder.js";
import { logLevels, openLog } from "./state/log.js";
import { announceModel } from "./state/model-notice.js";
import { openRawStream } from "./state/raw-stream.js";
import { openHostStore } from "./state/store.js";
import { scheduleRetention } from "./upkeep/retention-schedule.js";
import { agentWorkspace } from "./workspaces/agent-workspace.js";

/** Time for the store, log and lock to close after everything else has used up the time of a stop. */
const LAST_CLOSE_MS = 1000;

/**
 * Starts a host: state folder, lock, log, store, secrets, plugins, `gateway_pre_start`, services, listener,
 * recovery and `gateway_start`, in this order; a step that fails is reported by its name and undoes the steps
 * before it (GW-001).
 * @param options - location of its state, and what it serves
 * @throws StateFolderError, StateLockedError, SchemaTooNewError, PortTakenError, ModelNotFoundError
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { version } = options;
  const configuration = new LiveConfiguration(options.configuration);
  const steps = new Map<string, number>();
  let failed: StartStep | undefined;
  const undo = new StartSequence((step) => {
    steps.set(step.name, step.durationMs);
    if (step.error !== undefined) failed = step;
    options.onStep?.(step);
  });
  const { step } = undo;
  const startedAt = Date.now();
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let unguard = () => {};
  // Undone last, so that what plugins leave unhandled until then does not end the process.
  undo.add(() => unguard());
  try {
    const state = await step("state folder", () => {
      const folder = openStateFolder(options.stateDir);
      mkdirSync(options.workspaceDir, { recursive: true });
      return folder;
    });
    const lock = await step("lock", () =>
      acquireStateLock(state.lockFile, { pid: process.pid, startedAt: Date.now() }),
    );
    undo.add(() => lock.release());
    const levelsOf = ({ logging }: OpenClawConfiguration) => logLevels(logging, options.logLevel);
    const log = await step("log", () =>
      openLog(state.logFile, levelsOf(configuration.value), { output: options.logOutput }),
    );
    undo.add(() => log.close());
    const logger = log.logger("gateway");
    undo.add(() => {
      if (failed === undefined) return;
      const { name, error } = failed;
      logger.error(`the start failed at the step ${name}: ${errorMessage(error)}`, { step: name });
    });
    for (const warning of configuration.warnings)
      logger.warn(warning.message, { key: warning.key });

    const hostStore = await step("store", () =>
      openHostStore({
        state,
        configuration: configuration.value.store,
        inMemory: options.inMemory ?? false,
      }),
    );
    undo.add(() => hostStore.close());
    const { store, pluginStores, notices: storeNotices } = hostStore;
    for (const notice of storeNotices) logger.warn(notice);
    let loaded: () => PluginGeneration | undefined = () => undefined;
    const onFault = createFaultLog({
      logger,
      now: () => performance.now(),
      isInactive: (pluginId) =>
        loaded()?.plugins.some(({ id, status }) => id === pluginId && status !== "loaded") === true,
      disable: async (id) => {
        await opened;
        return (await methods()).call("plugins.disable", { id });
      },
    });
    const faults = new PluginFaults({ logger, onFault });
    unguard = guardProcess(faults);
    const resources = watchResources();
    undo.add(() => resources.stop());
    const server = options.port === undefined ? undefined : await import("@openclaw/server");
    const events = server && new server.EventHub(new server.EventLog(Date.now));
    const { environment, configurationChecks: checks } = options;
    const vault = new SecretVault(store, new MasterKeys(state, environment));
    const redaction = new SecretRedaction();
    const secrets = new ConfigurationSecrets(vault, { checks, environment }, (values) =>
      redaction.add(values),
    );
    log.redactWith(() => redaction.ruleSet);
    let rulesOfHost: () => RuleSet | undefined = () => undefined;
    const modelStreams =
      options.rawStream === undefined
        ? undefined
        : openRawStream(options.rawStream, {
            rules: () => rulesOfHost() ?? redaction.ruleSet,
            logger,
          });
    undo.add(() => modelStreams?.close());
    const resolved = await step("secrets", () => secrets.resolve(configuration));
    const opening = { ...options, configuration, state, log, store, pluginStores, faults };
    const host = await openHost({
      ...opening,
      events,
      pluginConfiguration: resolved,
      secretRules: () => redaction.rules,
      step,
      modelStreams,
      onPluginsLoaded: (plugins) => {
        if (options.requirePluginPaths) assertNamedPlugins(options.pluginPaths ?? [], plugins);
      },
    });
    undo.add(() => host.plugins.dispose());
    loaded = () => host.plugins.current;
    rulesOfHost = () => host.logRules;
    const { model } = host;
    const modelNotice = announceModel(state, model);
    const sandboxState = await probeSandbox(configuration, options.workspaceDir, state.dir);
    const unattended = reportUnattendedTools(
      configuration,
      {
        approvedTools: options.approvedTools ?? [],
        tools: host.services.policy.tools.map(({ name }) => name),
        isSandboxActive: sandboxState.active,
      },
      logger,
    );
    const sandbox = sandboxNotice(sandboxState);
    logger.info(`sandbox ${sandbox}`);

    const control = new ConfigurationControl({
      file: options.configurationFile,
      options: { checks, environment },
      live: configuration,
      host,
      state,
      setLogLevels: (changed) => log.setLevels(levelsOf(changed)),
      logger,
      events: events ?? NO_CLIENTS,
      timers: systemClock,
      forPlugins: (loaded) => secrets.resolve(loaded),
    });
    undo.add(() => control.close());

    let phase: "starting" | "ready" | "stopping" = "starting";
    let chatted = false;
    const receive = async (message: InboundMessage, caller?: Caller) => {
      // Wait, because recovery would treat an earlier message as one that another process left behind.
      await opened;
      chatted = true;
      return host.receive(message, caller);
    };
    const ready = () => {
      const { ref } = model;
      return readinessChecks({
        phase,
        store,
        plugins: host.plugins.current,
        channels: host.channels.manager.status,
        configuration: control.notice,
        model: { ref, isProvided: host.provides(ref) },
      });
    };

    let registry: Promise<MethodRegistry<GatewayMethods>> | undefined;
    // Installing and editing are rare; their code is loaded at the first use.
    const methods = () => {
      registry ??= import("./methods/registry.js").then(({ createGatewayMethods }) => {
        return createGatewayMethods({
          ...{ host, store, state, pluginStores, log, logger, receive, vault },
          events: events ?? NO_CLIENTS,
          configurationFile: options.configurationFile,
          facts: {
            ...{ version, startedAt, ready, workspaceDir: options.workspaceDir },
            queueMode: configuration.value.session?.queueMode ?? DEFAULT_QUEUE_MODE,
            configuration: () => ({
              files: (configuration.document?.sources ?? []).map(({ file }) => file),
              variables: variablesInUse(environment),
              pending: [...control.pending],
              ...defined({ notice: control.notice }),
            }),
          },
          readConfiguration: () => control.readPlugins(),
          changeConfiguration: (changes) => control.changePlugins(changes),
          changeFiles: (changes, baseHash) => control.change(changes, baseHash),
          environment,
          secretsChanged: (names) => control.secretsChanged(names),
          tickets: () => clients?.access.tickets,
        });
      });
      return registry;
    };

    let clients: ClientListener | undefined;
    if (options.port !== undefined && server !== undefined && events !== undefined) {
      const { listenForClients } = await import("./clients/client-listener.js");
      const { port: chosen } = options;
      const listening = await step("listener", () =>
        listenForClients({
          ...{ server, hub: events, host, store, version, logger, methods, receive, ready },
          port: chosen,
          tokenFile: state.tokenFile,
          section: { ...resolved.gateway, ...defined({ bind: options.bind }) },
          webhooks: resolved.webhooks,
          allowHosts: resolved.tools?.http?.allowHosts,
          openAi: () => configuration.value.gateway?.openai,
          isReady: () => phase === "ready",
          // The first chat after a change of model shows a notice.
          model: () => ({
            ref: model.ref,
            ...defined({ notice: chatted ? undefined : modelNotice?.text }),
          }),
        }),
      );
      clients = listening;
      const { port, host: hostname, networkNotice } = listening;
      undo.add(() => listening.abort());
      if (networkNotice !== undefined) logger.warn(networkNotice);
      await lock.setHolder({
        ...{ port, host: hostname },
        usesTokenFile: resolved.gateway?.auth?.token === undefined,
      });
    }
    const port = clients?.port;
    const isForCommand = options.isForCommand === true;
    const recoveredTurns = await step("recovery", async () => {
      if (!isForCommand) return host.recover();
      await host.prepare();
      return 0;
    });
    if (!isForCommand) await step("gateway_start", () => host.announce(port ?? 0));
    const retention = scheduleRetention(store, configuration.value, logger);
    undo.add(() => retention.close());
    await control.start(options.lastGoodInsteadOf);
    phase = "ready";
    open();
    logger.info(`OpenClaw ${version} is ready`, {
      ...{ port, model: model.ref },
      steps: [...steps].map(([name, ms]) => `${name} ${ms} ms`).join(", "),
    });

    const shutDown = async (reason: StopReason): Promise<void> => {
      phase = "stopping";
      const timeoutMs = configuration.value.gateway?.shutdownTimeoutMs ?? SHUTDOWN_MS;
      const until = performance.now() + timeoutMs;
      const closed = host.close(reason, async (drain) => clients?.close(reason, drain));
      await waitAtMost(timeoutMs + LAST_CLOSE_MS, closed);
      reportOpenResources(resources.open(), logger);
      logger.info("OpenClaw has stopped", { reason });
      await waitAtMost(Math.max(LAST_CLOSE_MS, until - performance.now()), undo.run());
    };
    let stopped: Promise<void> | undefined;

    return {
      url: clients && `http://${clients.host}:${clients.port}`,
      networkNotice: clients?.networkNotice,
      state,
      workspaceDir: options.workspaceDir,
      workspaceOf: (agentId) =>
        agentWorkspace(configuration, options.workspaceDir, agentId) ?? options.workspaceDir,
      database: store.database,
      storeNotices,
      model,
      modelNotice,
      get plugins() {
        return host.plugins.current;
      },
      get policyWarnings() {
        return host.services.policy.warnings;
      },
      unattendedTools: unattended,
      sandbox,
      reloadConfiguration: () => control.reload(),
      methods,
      approvals: host.approvals,
      attend: (approver) => host.attend(approver),
      onEvent: (listener) =>
        events?.subscribe({
          caller: { scopes: ["operator.admin"] },
          wants: () => true,
          send: ({ name, json }) => listener({ event: name, payload: JSON.parse(json) }),
        }) ?? (() => {}),
      recoveredTurns,
      receive,
      stop(reason) {
        stopped ??= shutDown(reason);
        return stopped;
      },
    };
  } catch (error) {
    await undo.run();
    throw error;
  }
}
