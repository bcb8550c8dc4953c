import { logRejection, type TurnDependencies, TurnSuspendedError } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import { BackgroundProcesses } from "@openclaw/core-tools";
import { waitAtMost } from "@openclaw/foundation";
import type { Caller, InboundMessage, MessageHost, ReplyOutcome } from "@openclaw/messaging";
import {
  ApprovalAttendance,
  type Attendant,
  callOffDisabledAskers,
  createMessageFlow,
  createMessageRouter,
  createSessionLife,
  createSubagentLife,
  createTurnLines,
  createTurnQueue,
  deleteSession,
  expandSessionKey,
  failureRecord,
  HookTraces,
  interruptSession,
  type SessionRow,
  SessionStates,
  sendToSession,
  TurnPauses,
} from "@openclaw/messaging";
import type { ModelChoice } from "@openclaw/models";
import type { PluginGeneration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { SessionEnd } from "@openclaw/store";
import { subagentLimits } from "../configuration/turn-limits.js";
import { createPluginApprovals } from "../plugins/approvals.js";
import { createHostPlugins, type HostPluginsOptions } from "../plugins/plugins.js";
import { createHostApprovals } from "./approvals.js";
import { buildTurnServices, type TurnServicesOptions } from "./services.js";

const LISTENING_HOST = "127.0.0.1";
const CONCURRENT_TURNS = 16;
/** Time a stop has in all, of which the turns have a part (D19). */
const SHUTDOWN_MS = 20_000;
const DRAIN_MS = 10_000;
/** Time for the answers to turns that were cut off to go out. */
const LAST_ANSWERS_MS = 1000;
const STOP_HOOK_MS = 5000;
/** Time for what hooks did last to be written. */
const LAST_TRACES_MS = 1000;
/** Time that plugins have for the ends of all sessions together. */
const SESSION_ENDS_MS = 2000;

/** Why a host stops. */
export type StopReason = "signal" | "restart" | "command" | "error";

/** What a host is composed from. Whoever opened its store and log closes them after the host. */
export type HostParts = HostPluginsOptions &
  Omit<
    TurnServicesOptions,
    "plugins" | "approvals" | "processes" | "sendToSession" | "subagents" | "logger"
  > & {
    /** Tools whose need of approval is met for this process, `--approve-tool`. */
    readonly approvedTools?: readonly string[];
    /**
     * Is shown the plugins once they are loaded, before anything else happens with them.
     * @param plugins - what it throws ends the start
     */
    onPluginsLoaded?(plugins: PluginGeneration): void;
  } & Pick<MessageHost, "lastingSurface">;

/** Plugins, services and the way of messages: a host without files, lock or listener of its own. */
export interface Host {
  readonly plugins: PluginRuntime;
  /** What turns use now; it follows what plugins register. */
  readonly services: TurnDependencies;
  readonly model: ModelChoice;
  /** Ids of the agents that the configuration names. */
  readonly agentIds: readonly string[];
  /**
   * Takes a message in and resolves with what became of it.
   * @param message - as a surface hands it over
   * @param caller - who waits for the reply
   */
  receive(message: InboundMessage, caller?: Caller): Promise<ReplyOutcome>;
  /**
   * Ends the turn that runs in a session early, and its children (TURN-053).
   * @param sessionKey - full or short key of the session
   * @param runId - ends the turn only if it is this one
   * @returns whether there was anything to end
   */
  interrupt(sessionKey: string, runId?: string): Promise<boolean>;
  /**
   * Deletes a session with all that belongs to it, and tells the plugins of its end (TURN-010).
   * @param sessionKey - full or short key of the session
   * @returns what ended
   * @throws SessionNotFoundError, SessionBusyError
   */
  removeSession(sessionKey: string): Promise<SessionEnd>;
  /** Notes what hooks do for messages. */
  readonly traces: HookTraces;
  /** Questions to people, and their answers. */
  readonly approvals: ApprovalBroker;
  /**
   * Lets somebody be shown questions who can answer them.
   * @param attendant - who
   * @returns ends it
   */
  attend(attendant: Attendant): () => void;
  /**
   * Takes up what an earlier process left.
   * @returns how many turns run again
   */
  recover(): Promise<number>;
  /**
   * Takes up what an earlier process left, and tells the plugins that the host serves.
   * @param port - the port that is listened on, 0 for none
   * @returns how many turns run again
   */
  serve(port: number): Promise<number>;
  /**
   * Sessions with what plugins show of the values they keep with them, most recently used first.
   * @param options - how many at most, and of which agent
   */
  listSessions(options: { limit: number; agentId?: string }): Promise<readonly SessionRow[]>;
  /** Settles when the plugins have been told that the host serves, and their services have begun. */
  readonly started: Promise<void>;
  /**
   * Ends the host: it takes no more messages, turns finish or are cut off after 10 s, the plugins are
   * told, then taken apart.
   * @param reason - what the plugins are told
   * @param stopListening - closes what still takes messages in; called once the plugins were warned
   */
  close(reason: StopReason, stopListening?: (drainMs: number) => Promise<void>): Promise<void>;
}

/**
 * Composes a host: plugins are loaded and asked to register, services put together, the way of
 * messages opened. It takes no lock, opens no file of its own and listens nowhere.
 * @param parts - configuration, places, and the open store and log
 * @throws ModelNotFoundError, PolicyConfigError, PluginHookExecutionError of a fail-closed boot hook
 */
export async function openHost(parts: HostParts): Promise<Host> {
  const { configuration, workspaceDir, store, log } = parts;
  const logger = log.logger("gateway");
  const sessionStates = new SessionStates(store, logger);
  const approvals = createHostApprovals({ ...parts, logger, plugins: () => plugins });
  const attendance = new ApprovalAttendance(approvals, store, logger);
  const pluginApprovals = createPluginApprovals({ store, approvals, attendance });
  const plugins: PluginRuntime = createHostPlugins({ ...parts, sessionStates, pluginApprovals });
  try {
    const loaded = await plugins.load();
    parts.onPluginsLoaded?.(loaded);
    await sessionStates.forgetDisabled(loaded);
    const keepAskers = await callOffDisabledAskers({ store, approvals, plugins, logger });
    const context = {
      callDepth: 0,
      workspaceDir,
      get config() {
        return plugins.visibleConfig;
      },
    };
    const port = parts.port ?? 0;
    await plugins.boot({ port, host: LISTENING_HOST, reason: "boot" }, context);
    const processes = new BackgroundProcesses();
    const limits = subagentLimits(configuration.value);
    const { services, model } = await buildTurnServices({
      ...parts,
      plugins,
      approvals,
      processes,
      sendToSession: (message) => sendToSession(message, store, flow),
      subagents: {
        limits,
        get agentIds() {
          return router.agentIds;
        },
        modelOf: (agentId) => router.modelOf(agentId),
        spawn: (spawn) => subagents.spawn(spawn),
        stop: (runId) => subagents.stop(runId),
      },
      logger,
    });
    const { agents = {}, session = {} } = configuration.value;
    const queue = createTurnQueue(agents.maxConcurrentTurns ?? CONCURRENT_TURNS);
    const router = createMessageRouter(configuration.value, {
      model: model.ref,
      workspaceDir: () => workspaceDir,
    });
    const now = parts.now ?? Date.now;
    const sessions = createSessionLife(
      { store, plugins, sessionStates, processes, approvals, logger, now },
      session.reset,
    );
    const ending = new AbortController();
    const { instructions } = agents.defaults ?? {};
    const traces = new HookTraces({ store, plugins, logger });
    const messageHost: MessageHost = {
      store,
      plugins,
      traces,
      queue,
      turnLines: createTurnLines(queue),
      sessions,
      sessionStates,
      router,
      queueMode: session.queueMode ?? "queue",
      get services() {
        return services();
      },
      approvals,
      pauses: new TurnPauses(approvals),
      attendance,
      logger,
      signal: ending.signal,
      get subagents() {
        return subagents;
      },
      ...(instructions === undefined ? {} : { instructions }),
      lastingSurface: (target) => parts.lastingSurface?.(target),
    };
    const subagents = createSubagentLife(messageHost, limits.maxChildren);
    const flow = createMessageFlow(messageHost);

    /** A plugin that fails to take leave does not keep the host from it. */
    const heard = async (dispatch: Promise<void> | undefined) => {
      try {
        await dispatch;
      } catch (error) {
        const { code, message } = failureRecord(error);
        logger.error(message, { code });
      }
    };

    const recover = async () => {
      const recovered = await flow.recover();
      await approvals.start();
      await subagents.recover();
      return recovered;
    };

    let start = Promise.resolve();
    return {
      plugins,
      traces,
      get services() {
        return services();
      },
      model,
      approvals,
      attend: (attendant) => attendance.attend(attendant),
      agentIds: router.agentIds,
      receive: (message, caller = {}) => flow.receive(message, caller),
      removeSession: (sessionKey) =>
        deleteSession(expandSessionKey(sessionKey, router.defaultAgent), messageHost),
      interrupt: (sessionKey, runId) =>
        interruptSession(expandSessionKey(sessionKey, router.defaultAgent), messageHost, runId),

      recover,

      async serve(listening) {
        const recovered = await recover();
        const event = {
          port: listening,
          host: LISTENING_HOST,
          generation: plugins.current.number,
        };
        const started = { ...context, port: listening, abortSignal: ending.signal };
        start = plugins.start({ event, context: started });
        logRejection(start, logger);
        return recovered;
      },

      get started() {
        return start;
      },

      async listSessions(options) {
        return sessionStates.rows(await store.sessions.list(options), plugins);
      },

      async close(reason, stopListening) {
        const until = performance.now() + SHUTDOWN_MS;
        const left = () => Math.max(0, until - performance.now());
        // Whatever a step waits for, the steps behind it have their time too (HCR-015).
        const atMost = (milliseconds: number, work: Promise<unknown>) =>
          waitAtMost(Math.min(milliseconds, left()), work);
        const stopping = { reason, deadlineMs: STOP_HOOK_MS };
        await atMost(
          STOP_HOOK_MS,
          heard(plugins.hooks.observe("gateway_pre_stop", stopping, context)),
        );
        const drained = flow.close();
        const closed = stopListening?.(DRAIN_MS + LAST_ANSWERS_MS);
        await atMost(DRAIN_MS, drained);
        ending.abort(new TurnSuspendedError());
        subagents.close();
        await atMost(LAST_ANSWERS_MS, Promise.all([closed, drained]));
        attendance.close();
        keepAskers();
        await approvals.close();
        await sessions.close(reason === "restart" ? "restart" : "shutdown", SESSION_ENDS_MS);
        await processes.close();
        await atMost(
          STOP_HOOK_MS,
          heard(plugins.hooks.observe("gateway_stop", { reason }, context)),
        );
        await atMost(LAST_TRACES_MS, traces.close());
        await plugins.dispose(left());
      },
    };
  } catch (error) {
    await plugins.dispose();
    throw error;
  }
}
