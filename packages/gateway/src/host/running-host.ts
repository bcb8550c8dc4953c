import { logRejection, type TurnDependencies } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import type { Jobs } from "@openclaw/jobs";
import type {
  Approver,
  ApproverPresence,
  Caller,
  HookTraces,
  InboundMessage,
  MessageRouter,
  Messaging,
  ReceivedFiles,
  ReplyOutcome,
  SessionAdministration,
} from "@openclaw/messaging";
import type { ModelChoice } from "@openclaw/models";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Routines } from "@openclaw/routines";
import type { RuleSet } from "@openclaw/safety";
import type { Turn } from "@openclaw/store";
import type { NodeFacts } from "../nodes/facts.js";
import type { OAuthCredentials } from "../oauth/credentials.js";
import type { HostChannels } from "./channels.js";
import type { HostContext } from "./context.js";
import { prepareForCalls, resumeEarlierWork, takeUpWork } from "./earlier-work.js";
import type { HostEmbeddings } from "./embeddings/host-embeddings.js";
import type { HostLayers } from "./host-layers.js";
import { selectableModels } from "./live-model.js";
import { type BootedPlugins, LISTENING_HOST } from "./plugin-layer.js";
import type { HostShutdown, StopListening, StopReason } from "./shutdown.js";
import type { SessionTools } from "./tools/session.js";

/** Start and stop of a host. */
export interface HostPhases {
  readonly hookContext: BootedPlugins["hookContext"];
  readonly shutdown: HostShutdown;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
}

/** Host of plugins, services and messaging, without files, lock or listener. */
export class Host {
  readonly #layers: HostLayers;
  readonly #phases: HostPhases;
  #started = Promise.resolve();
  #port: number | undefined;

  /** @param phases - start and stop of the host */
  constructor(layers: HostLayers, phases: HostPhases) {
    this.#layers = layers;
    this.#phases = phases;
  }

  get plugins(): PluginRuntime {
    return this.#layers.lower.plugins;
  }

  /** Safety rules for logs, which know the secrets that are in use. */
  get logRules(): RuleSet | undefined {
    return this.#layers.turns.services.rules;
  }

  /** Names in the configuration that nothing has, one sentence each (GW-280). */
  get unknownNames(): readonly string[] {
    return this.#layers.turns.services.unknownNames;
  }

  /** Services for turns that start now; they follow the registrations of plugins. */
  get services(): TurnDependencies {
    return this.#layers.turns.services.current();
  }

  get model(): ModelChoice {
    return this.#layers.turns.model.choice;
  }

  /**
   * Follows a changed `agents.defaults.model`.
   * @throws ConfigurationError when the model does not exist; the earlier one stays in force
   */
  followModel(): void {
    this.#layers.turns.model.follow();
  }

  /** Reason why `web_search` is not offered; undefined when it is (TURN-066). */
  get webSearchProblem(): string | undefined {
    return this.#layers.turns.webSearchProblem();
  }

  /** Continues recorded runs and conversations from earlier points. */
  get forks(): Messaging["forks"] {
    return this.#layers.messaging.forks;
  }

  /** Tool calls outside turns. */
  get sessionTools(): SessionTools {
    return this.#layers.sessionTools;
  }

  /** Embedding models. */
  get embeddings(): HostEmbeddings {
    return this.#layers.turns.embeddings;
  }

  /**
   * Returns true if the provider of a model is registered.
   * @param ref - `provider/model`
   */
  provides(ref: string): boolean {
    const [provider] = ref.split("/");
    const { services } = this.#layers.turns;
    return services
      .current()
      .models.providers()
      .some(({ id }) => id === provider);
  }

  /** Number of turns that run or wait. */
  get queueDepth(): number {
    return this.#layers.messaging.live.size;
  }

  /** Number of sessions that this node has; 0 for a host that has its database alone. */
  get sessionCount(): number {
    return this.#layers.messaging.live.leased;
  }

  /** Revisions of the configuration, the plugins and the policy with which turns start now (SCALE-022). */
  get revisions(): NodeFacts["revisions"] {
    const { configRevision, pluginRevision, policy } = this.services;
    return defined({
      configuration: configRevision,
      plugins: pluginRevision,
      policy: policy.hash,
    });
  }

  /** IDs of the configured agents. */
  get agentIds(): readonly string[] {
    return this.#layers.turns.router.agentIds;
  }

  /**
   * Returns the model that was chosen for a session.
   * @param sessionKey - full key of the session
   */
  sessionModel(sessionKey: string): string | undefined {
    return this.#layers.messaging.live.settingsOf(sessionKey).model;
  }

  /**
   * Returns true when an approver would see an approval request.
   * @param lineage - session of the request, followed by its ancestors
   */
  isAttended(lineage: readonly string[]): boolean {
    return this.#layers.lower.presence.isAttended(lineage);
  }

  /** OAuth credentials of plugins. */
  get oauth(): OAuthCredentials {
    return this.#layers.lower.oauth;
  }

  /** Files that people send. */
  get received(): ReceivedFiles {
    return this.#layers.messaging.channels.files;
  }

  get channels(): HostChannels {
    return this.#layers.channels;
  }

  get router(): MessageRouter {
    return this.#layers.turns.router;
  }

  /** Traces of the hooks of messages. */
  get traces(): HookTraces {
    return this.#layers.messaging.traces;
  }

  /** Approval requests and their decisions. */
  get approvals(): ApprovalBroker {
    return this.#layers.lower.approvals;
  }

  /** Outcomes of messages that callers repeat. */
  get outcomes(): Messaging["outcomes"] {
    return this.#layers.messaging.outcomes;
  }

  /** Replies that could not be delivered. */
  get failedReplies(): Messaging["failedReplies"] {
    return this.#layers.messaging.failedReplies;
  }

  /** Turns that clients continue. */
  get clientTurns(): Messaging["clientTurns"] {
    return this.#layers.messaging.clientTurns;
  }

  /** Models that clients can select, as `provider/model`. */
  get clientModels(): readonly string[] {
    const { model, router, services } = this.#layers.turns;
    return selectableModels(model.choice.ref, router, services.current().models);
  }

  /** Settles when the plugins were notified that the host serves, and their services have started. */
  get started(): Promise<void> {
    return this.#started;
  }

  /**
   * Processes a message and resolves with its outcome.
   * @param message - message from a surface
   * @param caller - receiver of the reply
   */
  receive(message: InboundMessage, caller: Caller = {}): Promise<ReplyOutcome> {
    return this.#layers.messaging.flow.receive(message, caller);
  }

  /**
   * Interrupts the turn that runs in a session and its subagents, or one turn, also when it waits (TURN-053).
   * @param target - full or short key of the session, ID of the turn, or both
   * @returns true when a turn or a subagent was interrupted
   */
  async interrupt({
    sessionKey,
    runId,
  }: {
    readonly sessionKey?: string | undefined;
    readonly runId?: string | undefined;
  }): Promise<boolean> {
    const { context, messaging } = this.#layers;
    const turn = runId === undefined ? undefined : await context.store.turns.get(runId);
    const key = sessionKey === undefined ? turn?.sessionKey : this.fullKey(sessionKey);
    if (key === undefined || (turn !== undefined && turn.sessionKey !== key)) return false;
    return await messaging.interrupts.interrupt({ sessionKey: key, runId, isWaitingToo: true });
  }

  /**
   * Returns the turns of a session that have not ended, in order.
   * @param sessionKey - full key of the session
   */
  openTurns(sessionKey: string): readonly Turn[] {
    return this.#layers.messaging.live.turns(sessionKey).map(({ turn }) => turn);
  }

  /** Timers of the host, and how their runs ended. */
  get tasks(): HostContext["tasks"] {
    return this.#layers.context.tasks;
  }

  /** Work in the background. */
  get jobs(): Jobs {
    return this.#layers.jobs;
  }

  /** Work at times that a schedule names. */
  get routines(): Routines {
    return this.#layers.routines;
  }

  /** Commands that work in conversations now. */
  get commands(): Messaging["commands"] {
    return this.#layers.messaging.commands;
  }

  /** Sessions, for operators. */
  get sessions(): SessionAdministration {
    return this.#layers.messaging.administration;
  }

  /**
   * Adds an approver.
   * @param approver - approver that is shown requests and can decide them
   * @returns function that removes the approver
   */
  attend(approver: Approver): () => void {
    return this.#layers.lower.presence.attend(approver);
  }

  /** Approvers that requests of every session reach on this node. */
  get sharedApprovers(): ApproverPresence["shared"] {
    return this.#layers.lower.presence.shared;
  }

  /** Counts the approvers of other nodes as reachable; see {@link ApproverPresence.share}. */
  shareApprovers(...[elsewhere, changed]: Parameters<ApproverPresence["share"]>): void {
    this.#layers.lower.presence.share(elsewhere, changed);
    changed();
  }

  /** Connects the channels; their messages are received once the host serves. */
  async openChannels(): Promise<void> {
    await this.#layers.channels.start();
  }

  /**
   * Resumes the work that an earlier process left.
   * @param isLeading - false for a node that another one leads
   * @returns number of resumed turns
   */
  recover(isLeading = true): Promise<number> {
    return resumeEarlierWork(this.#layers, isLeading);
  }

  /**
   * Does the work that one node does for all, such as jobs, routines, channels and upkeep, or leaves it to another
   * (SCALE-017).
   * @param isLeading - true when this node does it from now on
   */
  async lead(isLeading: boolean): Promise<void> {
    const { context, channels, jobs, routines } = this.#layers;
    await channels.suspend(!isLeading);
    if (isLeading) await takeUpWork(this.#layers);
    else {
      jobs.pause();
      routines.pause();
    }
    context.tasks.standBy(!isLeading);
  }

  /**
   * Takes no new turns, and leaves those that have not begun to other nodes; or takes turns again (SCALE-510).
   * @param isDraining - true while the operator drains this node
   * @returns number of messages that it handed over
   */
  async drain(isDraining: boolean): Promise<number> {
    const { messaging, context } = this.#layers;
    messaging.flow.drain(isDraining);
    return isDraining ? await context.store.nodes.handOver() : 0;
  }

  /** Takes over the work of nodes that are gone. */
  async takeOver(): Promise<void> {
    const { messaging, lower } = this.#layers;
    if ((await messaging.flow.takeOver()) > 0) await lower.approvals.takeOver();
  }

  /** Takes up the conversations that get approval requests, after a reload of the configuration. */
  configured(): void {
    const { messaging, routines, context } = this.#layers;
    messaging.attendTargets();
    logRejection(routines.heartbeat.configured(), context.logger);
  }

  /**
   * Prepares the host for single calls of methods: no turn is resumed, and no channel or service of a plugin starts
   * (HOST-029).
   */
  async prepare(): Promise<void> {
    await prepareForCalls(this.#layers);
  }

  /**
   * Resumes the work that an earlier process left, and notifies plugins that the host serves.
   * @param port - port that the host listens on, 0 for none
   * @returns number of resumed turns
   */
  async serve(port: number): Promise<number> {
    await this.openChannels();
    const recovered = await this.recover();
    this.announce(port);
    return recovered;
  }

  /**
   * Notifies plugins that the host serves, starts their services, and lets messages of channels in; {@link started}
   * settles at the end.
   * @param port - port that the host listens on, 0 for none
   */
  announce(port: number): void {
    const { plugins } = this.#layers.lower;
    const { hookContext, signal } = this.#phases;
    this.#port = port;
    const event = { port, host: LISTENING_HOST, generation: plugins.current.number };
    const context = { ...hookContext, port, abortSignal: signal };
    this.#started = plugins.start({ event, context });
    logRejection(this.#started, this.#layers.context.logger);
    this.#layers.channels.admit();
  }

  /**
   * Stops the host: it accepts no more messages, turns finish or are suspended after 10 s, and the plugins
   * are notified and disposed.
   * @param reason - reason given to plugins
   * @param stopListening - closes the listeners that still accept messages; called after plugins were
   * notified
   */
  close(reason: StopReason, stopListening?: StopListening): Promise<void> {
    return this.#phases.shutdown.run(reason, stopListening, this.#port);
  }

  /**
   * Returns the full key of a session.
   * @param sessionKey - full or short key
   */
  fullKey(sessionKey: string): string {
    return this.#layers.messaging.administration.keyOf(sessionKey);
  }
}
