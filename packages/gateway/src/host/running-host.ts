import { logRejection, type TurnDependencies } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import {
  type Approver,
  type Caller,
  deleteSession,
  expandSessionKey,
  type HookTraces,
  type InboundMessage,
  interruptSession,
  type Messaging,
  type ReplyOutcome,
  type SessionRow,
} from "@openclaw/messaging";
import type { ModelChoice } from "@openclaw/models";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { SessionEnd } from "@openclaw/store";
import type { HostContext } from "./context.js";
import { type BootedPlugins, LISTENING_HOST, type PluginLayer } from "./plugin-layer.js";
import type { ServiceLayer } from "./service-layer.js";
import type { HostShutdown, StopReason } from "./shutdown.js";

/** Layers of a host, from bottom to top. */
export interface HostLayers {
  readonly context: Pick<HostContext, "store" | "logger">;
  readonly lower: PluginLayer;
  readonly turns: Pick<ServiceLayer, "model" | "router" | "services">;
  readonly messaging: Messaging;
}

/** Start and stop of a host. */
export interface HostPhases {
  readonly hookContext: BootedPlugins["hookContext"];
  readonly shutdown: HostShutdown;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
}

/** Plugins, services and messaging: a host without files, lock or listener of its own. */
export class Host {
  readonly #layers: HostLayers;
  readonly #phases: HostPhases;
  #started = Promise.resolve();

  /**
   * @param layers - of the host
   * @param phases - its start and stop
   */
  constructor(layers: HostLayers, phases: HostPhases) {
    this.#layers = layers;
    this.#phases = phases;
  }

  get plugins(): PluginRuntime {
    return this.#layers.lower.plugins;
  }

  /** Services of turns that begin now; they follow what plugins register. */
  get services(): TurnDependencies {
    return this.#layers.turns.services.current();
  }

  get model(): ModelChoice {
    return this.#layers.turns.model;
  }

  /** IDs of the agents that the configuration names. */
  get agentIds(): readonly string[] {
    return this.#layers.turns.router.agentIds;
  }

  /** Records of what hooks do for messages. */
  get traces(): HookTraces {
    return this.#layers.messaging.traces;
  }

  /** Approval requests and their answers. */
  get approvals(): ApprovalBroker {
    return this.#layers.lower.approvals;
  }

  /** Settles when the plugins have been told that the host serves, and their services have started. */
  get started(): Promise<void> {
    return this.#started;
  }

  /**
   * Processes a message and resolves with its outcome.
   * @param message - as a surface sent it
   * @param caller - receiver of the reply
   */
  receive(message: InboundMessage, caller: Caller = {}): Promise<ReplyOutcome> {
    return this.#layers.messaging.flow.receive(message, caller);
  }

  /**
   * Interrupts the turn that runs in a session, and stops its subagents (TURN-053).
   * @param sessionKey - full or short key of the session
   * @param runId - interrupts the turn only if it is this one
   * @returns whether there was anything to interrupt
   */
  interrupt(sessionKey: string, runId?: string): Promise<boolean> {
    return interruptSession(this.#fullKey(sessionKey), this.#layers.messaging, runId);
  }

  /**
   * Deletes a session with all that belongs to it, and tells the plugins of its end (TURN-010).
   * @param sessionKey - full or short key of the session
   * @returns what ended
   * @throws SessionNotFoundError, SessionBusyError
   */
  removeSession(sessionKey: string): Promise<SessionEnd> {
    const { context, lower, messaging } = this.#layers;
    const { turnQueues, sessions, subagents } = messaging;
    const { approvals } = lower;
    const removal = { store: context.store, turnQueues, sessions, subagents, approvals };
    return deleteSession(this.#fullKey(sessionKey), removal);
  }

  /**
   * Adds an approver.
   * @param approver - is shown requests and can answer them
   * @returns removes the approver
   */
  attend(approver: Approver): () => void {
    return this.#layers.lower.presence.attend(approver);
  }

  /**
   * Resumes what an earlier process left.
   * @returns number of turns that were resumed
   */
  async recover(): Promise<number> {
    const { lower, messaging } = this.#layers;
    const recovered = await messaging.flow.recover();
    await lower.approvals.start();
    await messaging.subagents.recover();
    return recovered;
  }

  /**
   * Resumes what an earlier process left, and tells the plugins that the host serves.
   * @param port - the port that the host listens on, 0 for none
   * @returns number of turns that were resumed
   */
  async serve(port: number): Promise<number> {
    const { plugins } = this.#layers.lower;
    const { hookContext, signal } = this.#phases;
    const recovered = await this.recover();
    const event = { port, host: LISTENING_HOST, generation: plugins.current.number };
    const context = { ...hookContext, port, abortSignal: signal };
    this.#started = plugins.start({ event, context });
    logRejection(this.#started, this.#layers.context.logger);
    return recovered;
  }

  /**
   * Returns sessions with what plugins show of the values they keep with them, most recently used first.
   * @param options - maximum number, and the agent
   */
  async listSessions(filter: { limit: number; agentId?: string }): Promise<readonly SessionRow[]> {
    const { context, lower } = this.#layers;
    return lower.sessionStates.rows(await context.store.sessions.list(filter), lower.plugins);
  }

  /**
   * Stops the host: it accepts no more messages, turns finish or are suspended after 10 s, the plugins are
   * told and disposed.
   * @param reason - what the plugins are told
   * @param stopListening - closes what still accepts messages; called once the plugins were warned
   */
  close(reason: StopReason, stopListening?: (drainMs: number) => Promise<void>): Promise<void> {
    return this.#phases.shutdown.run(reason, stopListening);
  }

  #fullKey(sessionKey: string): string {
    return expandSessionKey(sessionKey, this.#layers.turns.router.defaultAgent);
  }
}
