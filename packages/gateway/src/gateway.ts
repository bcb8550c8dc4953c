import { mkdirSync } from "node:fs";
import { unawaited } from "@openclaw/agent";
import type { ModelChoice } from "@openclaw/models";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import { acquireStateLock, openStore } from "@openclaw/store";
import type { LoadedConfiguration } from "./configuration.js";
import { loadGatewayToken } from "./gateway-token.js";
import { createHostPlugins } from "./host-plugins.js";
import { buildTurnServices } from "./host-services.js";
import type { HttpServer, ReadinessCheck } from "./http-server.js";
import type { Caller, InboundMessage, ReplyOutcome } from "./inbound-message.js";
import { openLog } from "./log.js";
import { createMessageFlow } from "./message-flow.js";
import { announceModel, type ModelNotice } from "./model-notice.js";
import { StartSequence } from "./start-sequence.js";
import { openStateFolder, type StateFolder } from "./state-folder.js";
import { createTurnQueue } from "./turn-queue.js";

const HOST = "127.0.0.1";
const CONCURRENT_TURNS = 16;
const DRAIN_MS = 10_000;
const STOP_HOOK_MS = 5000;

/** How a host is started. */
export interface GatewayOptions {
  readonly version: string;
  readonly stateDir: string;
  readonly configuration: LoadedConfiguration;
  /** Workspace of the agent. */
  readonly workspaceDir: string;
  /** Folders of the extensions that come with the product. */
  readonly bundledExtensions: readonly string[];
  /** Folders or files of further plugins, `--plugin`. */
  readonly pluginPaths?: readonly string[];
  /** `provider/model`, `--model`. */
  readonly model?: string;
  /** Tools that run unasked in this process, `--approve-tool`. */
  readonly approvedTools?: readonly string[];
  /** Port to listen on, 0 for any; undefined serves no HTTP. */
  readonly port?: number;
  readonly environment: NodeJS.ProcessEnv;
}

/** Why a host stops. */
export type StopReason = "signal" | "restart" | "command" | "error";

/** A running host. */
export interface Gateway {
  /** Address of the HTTP side; undefined when it serves none. */
  readonly url: string | undefined;
  readonly state: StateFolder;
  readonly model: ModelChoice;
  /** What the operator should know of a change of model since the last start. */
  readonly modelNotice: ModelNotice | undefined;
  readonly plugins: PluginGeneration;
  /** Turns of an earlier process that this one took up. */
  readonly recoveredTurns: number;
  /**
   * Takes a message in and resolves with what became of it.
   * @param message - as a surface hands it over
   * @param caller - who waits for the reply
   */
  receive(message: InboundMessage, caller?: Caller): Promise<ReplyOutcome>;
  /** Ends the host: no new messages, turns finish or are cut off, everything closes (GW-009). */
  stop(reason: StopReason): Promise<void>;
}

/**
 * Starts a host: lock, store, plugins, listener, in this order; a step that fails undoes the steps
 * before it (GW-001).
 * @param options - where its state lies and what it serves
 * @throws StateFolderError, StateLockedError, SchemaTooNewError, PortTakenError, ModelNotFoundError
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { configuration, version } = options;
  const undo = new StartSequence();
  try {
    const state = openStateFolder(options.stateDir);
    mkdirSync(options.workspaceDir, { recursive: true });
    const lock = await acquireStateLock(state.lockFile, {
      pid: process.pid,
      startedAt: Date.now(),
    });
    undo.add(() => lock.release());
    const log = openLog(state.logFile, configuration.value.logging?.level ?? "info");
    undo.add(() => log.close());
    const logger = log.logger("gateway");
    for (const warning of configuration.warnings)
      logger.warn(warning.message, { key: warning.key });

    const store = await openStore({
      file: state.databaseFile,
      durability: configuration.value.store?.durability ?? "power",
    });
    undo.add(() => store.close());
    const plugins = createHostPlugins({ ...options, state, log });
    undo.add(() => plugins.dispose());
    await plugins.load();

    const port = options.port ?? 0;
    const hostContext = { callDepth: 0, workspaceDir: options.workspaceDir };
    await plugins.hooks.observe(
      "gateway_pre_start",
      { port, host: HOST, reason: "boot" },
      hostContext,
    );

    const { services, model } = await buildTurnServices({
      ...options,
      state,
      store,
      plugins,
      logger,
    });
    const queue = createTurnQueue(CONCURRENT_TURNS);
    const ending = new AbortController();
    const { instructions } = configuration.value.agents?.defaults ?? {};
    const flow = createMessageFlow({
      store,
      plugins,
      queue,
      services,
      logger,
      model: model.ref,
      workspaceDir: () => options.workspaceDir,
      signal: ending.signal,
      ...(instructions === undefined ? {} : { instructions }),
    });
    const modelNotice = announceModel(state, model);

    let stopping = false;
    let chatted = false;
    const receive = (message: InboundMessage, caller: Caller = {}) => {
      chatted = true;
      return flow.receive(message, caller);
    };
    const ready = async (): Promise<readonly ReadinessCheck[]> => {
      const stored = await store.check().then(
        () => ({ name: "store", ok: true }),
        (error: Error) => ({ name: "store", ok: false, detail: error.message }),
      );
      return [stored, { name: "gateway", ok: !stopping, ...(stopping && { detail: "stopping" }) }];
    };

    let http: HttpServer | undefined;
    if (options.port !== undefined) {
      const { createHttpApp, listen } = await import("./http-server.js");
      const token = configuration.value.gateway?.auth?.token ?? loadGatewayToken(state.tokenFile);
      const app = createHttpApp({
        token,
        agentIds: ["main"],
        // Whoever chats first after a change of model is told of it.
        model: () => ({
          ref: model.ref,
          ...(modelNotice === undefined || chatted ? {} : { notice: modelNotice.text }),
        }),
        receive,
        ready,
        now: services.now,
      });
      http = await listen(app, options.port);
      await lock.setHolder({ port: http.port });
    }
    const recoveredTurns = await flow.recover();
    const listening = http?.port ?? 0;
    unawaited(
      plugins.hooks.observe(
        "gateway_start",
        { port: listening, host: HOST, generation: plugins.current.number },
        { ...hostContext, port: listening, abortSignal: ending.signal },
      ),
      logger,
    );
    logger.info(`OpenClaw ${version} is ready`, { port: http?.port, model: model.ref });

    const shutDown = async (reason: StopReason): Promise<void> => {
      stopping = true;
      await plugins.hooks.observe(
        "gateway_pre_stop",
        { reason, deadlineMs: STOP_HOOK_MS },
        hostContext,
      );
      const closed = http?.close(DRAIN_MS);
      await within(DRAIN_MS, queue.idle());
      ending.abort(new Error("the host is stopping"));
      await Promise.all([closed, queue.idle()]);
      await plugins.hooks.observe("gateway_stop", { reason }, hostContext);
      logger.info("OpenClaw has stopped", { reason });
      await undo.run();
    };
    let stopped: Promise<void> | undefined;

    return {
      url: http === undefined ? undefined : `http://${HOST}:${http.port}`,
      state,
      model,
      modelNotice,
      plugins: plugins.current,
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

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
