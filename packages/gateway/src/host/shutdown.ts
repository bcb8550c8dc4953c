import { TurnSuspendedError } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import { SHUTDOWN_MS } from "@openclaw/configuration";
import type { BackgroundProcesses } from "@openclaw/core-tools";
import { defined, waitAtMost } from "@openclaw/foundation";
import type { Jobs, Workers } from "@openclaw/jobs";
import { type ApproverPresence, failureRecord, type Messaging } from "@openclaw/messaging";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { Routines } from "@openclaw/routines";

const DRAIN_MS = 10_000;
/** Time to send the replies of interrupted turns. */
const LAST_ANSWERS_MS = 1000;
const STOP_HOOK_MS = 5000;
/** Time for channels to release their connections. */
const CHANNELS_MS = 2000;
/** Time to write the last hook traces. */
const LAST_TRACES_MS = 1000;
/** Time for plugins to handle the ends of all sessions together. */
const SESSION_ENDS_MS = 2000;

/** Reason why a host stops. */
export type StopReason = "signal" | "restart" | "command" | "error";

/**
 * Closes the listeners of a host.
 * @param drain - maximum time in milliseconds, and a promise that settles when the turns have ended
 */
export type StopListening = (drain: {
  readonly ms: number;
  readonly ended: Promise<unknown>;
}) => Promise<void>;

/** Hook engine of a shutdown, and the context of its hooks. */
export interface StopHooks {
  readonly plugins: Pick<PluginRuntime, "hooks" | "dispose">;
  readonly context: HookMap["gateway_stop"]["context"];
  readonly logger: Logger;
}

/** Approval requests, their approvers, and the cancellation for disabled plugins. */
export interface ApprovalShutdown {
  readonly broker: Pick<ApprovalBroker, "close">;
  readonly presence: Pick<ApproverPresence, "close">;
  stopCancelling(): void;
}

/** Dependencies of {@link HostShutdown}: the components to stop, from the outside to the inside. */
export interface HostShutdownDependencies {
  readonly messaging: Pick<
    Messaging,
    "channels" | "flow" | "live" | "subagents" | "sessions" | "traces"
  >;
  readonly jobs: Pick<Jobs, "close">;
  readonly workers: Pick<Workers, "close">;
  readonly routines: Pick<Routines, "close">;
  readonly approvals: ApprovalShutdown;
  readonly processes: Pick<BackgroundProcesses, "close">;
  /** Aborts the turns that are still running. */
  readonly ending: AbortController;
  /** Returns the time for the whole shutdown in milliseconds; 20 000 when absent. */
  timeoutMs?(): number | undefined;
  /** Stops sending events to clients. */
  stopPublishing(): void;
}

/** Stops a host within a fixed time. */
export class HostShutdown {
  readonly #dependencies: HostShutdownDependencies;
  readonly #hooks: StopHooks;

  /**
   * @param dependencies - components to stop
   * @param hooks - hooks that notify plugins of the stop
   */
  constructor(dependencies: HostShutdownDependencies, hooks: StopHooks) {
    this.#dependencies = dependencies;
    this.#hooks = hooks;
  }

  /**
   * Stops the host: it accepts no more messages, turns finish or are suspended after 10 s, and the plugins
   * are notified and disposed.
   * @param reason - reason given to plugins
   * @param stopListening - closes the listeners that still accept messages; called after plugins were
   * notified
   * @param port - port that the host listened on; undefined if it has not announced that it serves
   */
  async run(reason: StopReason, stopListening?: StopListening, port?: number): Promise<void> {
    const { messaging, jobs, workers, routines, approvals, processes, ending } = this.#dependencies;
    const timeoutMs = this.#dependencies.timeoutMs?.() ?? SHUTDOWN_MS;
    const { plugins, context } = this.#hooks;
    const { flow, subagents, sessions, traces } = messaging;
    const channels = messaging.channels.manager;
    const until = performance.now() + timeoutMs;
    const left = () => Math.max(0, until - performance.now());
    // Limit each step, so that the steps after it get their time too (HCR-015).
    const atMost = (milliseconds: number, work: Promise<unknown>) =>
      waitAtMost(Math.min(milliseconds, left()), work);
    const stopping = { reason, deadlineMs: STOP_HOOK_MS };
    await atMost(
      STOP_HOOK_MS,
      this.#ignoreFailure(plugins.hooks.observe("gateway_pre_stop", stopping, context)),
    );
    // Channels receive nothing more, and still send the last replies.
    // A turn of a job that ends while the host stops is settled by the next one.
    routines.close();
    jobs.close();
    const ended = channels.stopReceiving();
    const drained = Promise.all([flow.close(), ended]);
    const closed = stopListening?.({ ms: DRAIN_MS + LAST_ANSWERS_MS, ended: drained });
    await atMost(DRAIN_MS, drained);
    ending.abort(new TurnSuspendedError());
    subagents.close();
    await atMost(LAST_ANSWERS_MS, Promise.all([closed, drained]));
    await atMost(LAST_ANSWERS_MS, this.#ignoreFailure(messaging.live.giveBack()));
    await atMost(CHANNELS_MS, channels.close());
    approvals.presence.close();
    approvals.stopCancelling();
    await atMost(LAST_ANSWERS_MS, approvals.broker.close());
    const sessionEnd = reason === "restart" ? "restart" : "shutdown";
    await sessions.close(sessionEnd, Math.min(SESSION_ENDS_MS, left()));
    await atMost(LAST_ANSWERS_MS, Promise.all([processes.close(), workers.close()]));
    const served = { ...context, ...defined({ port }), abortSignal: ending.signal };
    await atMost(
      STOP_HOOK_MS,
      this.#ignoreFailure(plugins.hooks.observe("gateway_stop", { reason }, served)),
    );
    await atMost(LAST_TRACES_MS, traces.close());
    this.#dependencies.stopPublishing();
    await plugins.dispose(left());
  }

  /** A failing stop hook does not block shutdown. */
  async #ignoreFailure(dispatch: Promise<void> | undefined): Promise<void> {
    try {
      await dispatch;
    } catch (error) {
      const { code, message } = failureRecord(error);
      this.#hooks.logger.error(message, { code });
    }
  }
}
