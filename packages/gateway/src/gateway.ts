import { mkdirSync } from "node:fs";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import { defined, errorMessage, systemClock, waitAtMost } from "@openclaw/foundation";
import type {
  Approver,
  Caller,
  InboundMessage,
  ReplyOutcome,
  ReplySurface,
} from "@openclaw/messaging";
import type { ModelChoice } from "@openclaw/models";
import {
  guardProcess,
  PluginFaults,
  type PluginGeneration,
  watchResources,
} from "@openclaw/plugin-runtime";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import type { RuleSet } from "@openclaw/safety";
import { acquireStateLock, type DeliveryTarget, type Store } from "@openclaw/store";
import type { PolicyWarning } from "@openclaw/tool-policy";
import type { LoadedConfiguration, PluginConfigChecks } from "./configuration/configuration.js";
import { variablesInUse } from "./configuration/environment.js";
import type { OpenClawConfiguration } from "./configuration/schema.js";
import type { ClientListener } from "./host/client-listener.js";
import { NO_CLIENTS, openHost } from "./host/host.js";
import { readinessChecks } from "./host/readiness.js";
import { probeSandbox, sandboxNotice } from "./host/sandbox-state.js";
import { SHUTDOWN_MS, type StopReason } from "./host/shutdown.js";
import { StartSequence, type StartStep } from "./host/start-sequence.js";
import { reportUnattendedTools, type UnattendedTool } from "./host/unattended-tools.js";
import { createFaultLog } from "./plugins/faults.js";
import { assertNamedPlugins } from "./plugins/named-plugins.js";
import { reportOpenResources } from "./plugins/open-resources.js";
import { ConfigurationControl } from "./reload/control.js";
import { LiveConfiguration } from "./reload/live-configuration.js";
import type { ConfigurationReload } from "./reload/reload.js";
import { MasterKeys } from "./secrets/master-keys.js";
import { SecretRedaction } from "./secrets/redaction.js";
import { ConfigurationSecrets } from "./secrets/references.js";
import { SecretVault } from "./secrets/vault.js";
import { openStateFolder, type StateFolder } from "./state/folder.js";
import { type LogLevel, logLevels, openLog } from "./state/log.js";
import { announceModel, type ModelNotice } from "./state/model-notice.js";
import { openRawStream } from "./state/raw-stream.js";
import { openHostStore } from "./state/store.js";
import { scheduleRetention } from "./upkeep/retention-schedule.js";
import { agentWorkspace } from "./workspaces/agent-workspace.js";

/** Time for the store, log and lock to close after everything else has used up the time of a stop. */
const LAST_CLOSE_MS = 1000;

/** Options of {@link startGateway}. */
export interface GatewayOptions {
  readonly version: string;
  readonly stateDir: string;
  readonly configuration: LoadedConfiguration;
  /** Path of the configuration file, which may not exist. */
  readonly configurationFile: string;
  /** Checks of bundled plugins, for changed configurations. */
  readonly configurationChecks?: PluginConfigChecks | undefined;
  /**
   * Errors of the configuration file, when `configuration` is the last good one instead; the gateway takes up
   * the file when it is valid again (GW-006).
   */
  readonly lastGoodInsteadOf?: string | undefined;
  /** Workspace of the agent. */
  readonly workspaceDir: string;
  /**
   * Returns true for a folder whose instructions, skills and plugins may be used; every folder when absent.
   * @param folder - real path
   */
  isTrusted?(folder: string): boolean;
  /** Folders of the extensions that are bundled with the product. */
  readonly bundledExtensions: readonly string[];
  /**
   * Modules, in addition to the SDK, that plugins may import below `openclaw/plugin-sdk`: URL by specifier.
   */
  readonly sdkModules?: ReadonlyMap<string, string> | undefined;
  /** Folders or files of further plugins, `--plugin`. */
  readonly pluginPaths?: readonly string[] | undefined;
  /** Ends the start with an error when one of `pluginPaths` does not run; false when absent. */
  readonly requirePluginPaths?: boolean | undefined;
  /**
   * Plugins given as objects, without files, by the application that embeds the gateway; they count as
   * bundled.
   */
  readonly inlinePlugins?: readonly PluginDefinition[] | undefined;
  /** Model as `provider/model`, `--model`. */
  readonly model?: string | undefined;
  /** Tools that run without approval in this process, `--approve-tool`. */
  readonly approvedTools?: readonly string[] | undefined;
  /** Lowest level that is logged, `--log-level`; replaces `logging.level`. */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Also receives each line of the log, `--log-stdout`.
   * @param text - line with its line break
   */
  readonly logOutput?: ((text: string) => void) | undefined;
  /** Path of a file that receives the events of model streams, `--raw-stream` (GW-051). */
  readonly rawStream?: string | undefined;
  /** Keeps all data in memory, `--no-db`. */
  readonly inMemory?: boolean | undefined;
  /** Serves only the calls of one command: resumes no turn, and starts no channel and no service (HOST-029). */
  readonly isForCommand?: boolean | undefined;
  /** Port to listen on, 0 for any free one; undefined serves no HTTP. */
  readonly port?: number | undefined;
  /** Address to listen on, as in `gateway.bind`, which it replaces. */
  readonly bind?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Called when an owner sends `/quit`; the caller then stops the gateway. Without it the command is rejected. */
  readonly onQuit?: (() => void) | undefined;
  /**
   * Called with each step of the start when it has ended, also with the one that failed (HOST-002).
   * @param step - name, duration and error
   */
  onStep?(step: StartStep): void;
  /**
   * Returns the surface that shows replies to messages of an earlier process; without it those replies are
   * only in the transcript.
   * @param target - destination of a reply
   */
  findSurface?(target: DeliveryTarget): ReplySurface | undefined;
}

/** A running host. */
export interface Gateway {
  /** URL of the HTTP server; undefined when there is none. */
  readonly url: string | undefined;
  /** Sentence for the operator when other machines can reach the HTTP server. */
  readonly networkNotice: string | undefined;
  readonly state: StateFolder;
  /** Folder in which sessions work that no local chat opened in another one. */
  readonly workspaceDir: string;
  /**
   * Returns the folder in which sessions of an agent work: its own workspace, else that of the gateway.
   * @param agentId - ID of the agent
   */
  workspaceOf(agentId: string): string;
  /** Name and dialect of the database. */
  readonly database: Store["database"];
  /** Sentences for the operator about possible data loss. */
  readonly storeNotices: readonly string[];
  readonly model: ModelChoice;
  /** Notice to the operator about a change of model since the last start. */
  readonly modelNotice: ModelNotice | undefined;
  readonly plugins: PluginGeneration;
  /** Warnings about the tool policy, for example about a plugin whose tools it hides (POL-025). */
  readonly policyWarnings: readonly PolicyWarning[];
  /** Tools that run without approval in this process. */
  readonly unattendedTools: readonly UnattendedTool[];
  /** State of the sandbox for read-only commands, with the reason when it is not active. */
  readonly sandbox: string;
  /** Reads the configuration file now, and applies its changes (GW-006). */
  reloadConfiguration(): Promise<ConfigurationReload>;
  /** Returns the methods of the protocol, for calls in this process. */
  methods(): Promise<MethodRegistry<GatewayMethods>>;
  /** Approval requests and their decisions. */
  readonly approvals: ApprovalBroker;
  /**
   * Adds an approver.
   * @param approver - approver that is shown requests and can decide them
   * @returns function that removes the approver
   */
  attend(approver: Approver): () => void;
  /**
   * Listens to the events that clients receive, for a terminal of this process.
   * @param listener - called for each event; not called for a host that serves no clients
   * @returns function that removes the listener
   */
  onEvent(
    listener: (event: { readonly event: string; readonly payload: unknown }) => void,
  ): () => void;
  /** Number of turns of an earlier process that this one resumed. */
  readonly recoveredTurns: number;
  /**
   * Processes a message and resolves with its outcome.
   * @param message - message from a surface
   * @param caller - receiver of the reply
   */
  receive(message: InboundMessage, caller?: Caller): Promise<ReplyOutcome>;
  /**
   * Stops the host: it accepts no new messages, turns finish or are suspended, everything closes (GW-009).
   */
  stop(reason: StopReason): Promise<void>;
}

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
          configurationFile: options.configurationFile,
          facts: {
            ...{ version, startedAt, ready, workspaceDir: options.workspaceDir },
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
      const { listenForClients } = await import("./host/client-listener.js");
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
      await lock.setHolder({ port, host: hostname });
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
