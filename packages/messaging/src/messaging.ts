import { ButtonTokens } from "./approvals/button-token.js";
import { ApprovalCards } from "./approvals/cards.js";
import { ApprovalReminders } from "./approvals/reminders.js";
import { ApprovalRequestDelivery } from "./approvals/request-delivery.js";
import { ApprovalTargets } from "./approvals/targets.js";
import { type Channels, createChannels } from "./channels/composition.js";
import { ChannelInbound } from "./channels/inbound.js";
import { ChannelMessages } from "./channels/messages.js";
import { AuthenticationMode } from "./credentials/authentication-mode.js";
import { redactReply } from "./delivery/chunk.js";
import { ConversationPosts } from "./delivery/conversation-posts.js";
import { MessageAnswers } from "./delivery/message-answer.js";
import { PluginMessages } from "./delivery/plugin-messages.js";
import { ProactiveMessages } from "./delivery/proactive-messages.js";
import { ReplyDelivery } from "./delivery/reply.js";
import { SpokenReplies } from "./delivery/spoken-reply.js";
import { ConversationForks } from "./forks/conversation-forks.js";
import { RunForks } from "./forks/run-forks.js";
import { MessageAdmission } from "./inbound/admission.js";
import { CredentialIntake } from "./inbound/credentials.js";
import { DirectMessages } from "./inbound/direct.js";
import { MessageEnqueuer } from "./inbound/enqueuer.js";
import { MessageFlow } from "./inbound/flow.js";
import { MessageInspection } from "./inbound/inspection.js";
import { MessageIntake } from "./inbound/intake.js";
import { MessageTurns } from "./inbound/message-turns.js";
import { MessageOutcomes } from "./inbound/outcomes.js";
import { TurnQueueing } from "./inbound/queueing.js";
import { MessageRecovery } from "./inbound/recovery.js";
import { MessageResponder } from "./inbound/responder.js";
import { AudioTranscription } from "./inbound/transcription.js";
import { ConversationEvents } from "./messages/conversation-events.js";
import { MessageEvents } from "./messages/events.js";
import { HookTraces } from "./messages/hook-traces.js";
import { ReceivedFiles } from "./messages/received-files.js";
import { SessionCallers } from "./messages/session-callers.js";
import type { Messaging, MessagingOptions } from "./messaging-options.js";
import { SessionAdministration } from "./sessions/administration.js";
import { DEFAULT_IDLE_SECONDS, DEFAULT_QUEUE_MODE } from "./sessions/configuration.js";
import { SessionEvents } from "./sessions/events.js";
import { SessionLifecycle } from "./sessions/lifecycle.js";
import { TurnQueue } from "./sessions/queue.js";
import { SessionResources } from "./sessions/resources.js";
import { SessionTurnQueues } from "./sessions/session-queues.js";
import { SessionSettings } from "./sessions/settings.js";
import { SubagentReports } from "./subagents/ending.js";
import { SubagentManager } from "./subagents/manager.js";
import { SubagentSpawner } from "./subagents/spawner.js";
import { createSubmissions } from "./submissions/composition.js";
import type { Submissions } from "./submissions/submissions.js";
import { ApprovalWaits } from "./turns/approval-wait.js";
import { BackgroundPace } from "./turns/background-pace.js";
import { ClientTurns } from "./turns/client-turns.js";
import { SessionCompaction } from "./turns/compaction.js";
import { TurnEndings } from "./turns/ending.js";
import { TurnExecution } from "./turns/execution.js";
import { HostTurns } from "./turns/host-turns.js";
import { TurnRequests } from "./turns/request.js";
import { AgentRuns } from "./turns/run.js";
import { TurnRunner } from "./turns/runner.js";
import { TurnScheduler } from "./turns/scheduler.js";

/**
 * Composes messaging, one layer after another: delivery, sessions, queues, subagents, turns, inbound.
 * @param options - dependencies and settings of the layers
 */
export function createMessaging(options: MessagingOptions): Messaging {
  const { store, plugins, logger, signal, approvals, settings, clock } = options;
  const { now, timers } = clock;
  const safety = () => options.services().safety;
  const rules = () => safety().rules;
  const traces = new HookTraces({ store, plugins, logger, rules });
  const events = new MessageEvents({ plugins, logger });
  const conversation = new ConversationEvents(options.events);
  const spoken = new SpokenReplies({
    ...{ speech: options.speech, logger, timers, signal },
    files: new ReceivedFiles(() => options.filesDir()),
    callPlugin: (pluginId, call) => plugins.callPlugin(pluginId, call),
  });
  const replies = new ReplyDelivery({
    ...{ store, plugins, logger, events: conversation, safety, timers, signal, spoken },
  });
  const channels = createChannels({
    ...{ ...options, now, timers, lists: options.access },
    redact: (text) => redactReply(text, safety()),
  });
  const settingsOfSessions = new SessionSettings();
  const queue = new TurnQueue(() => settings.maxConcurrentTurns);
  const turnQueues = new SessionTurnQueues(queue);
  const sessions = createSessions(options, settingsOfSessions, turnQueues);
  const reports = new SubagentReports({ store, plugins, replies, logger }, { safety, now });
  const subagents = new SubagentManager({ store, turnQueues, reports, logger }, clock);

  const waits = new ApprovalWaits(approvals);
  const late = { timers, signal, logger };
  const endings = new TurnEndings({ store, approvals, traces, late });
  const pace = new BackgroundPace();
  const execution = createExecution(options, waits, {
    ...{ conversation, pace },
    channels,
    settings: settingsOfSessions,
  });
  const runner = new TurnRunner(
    {
      ...{ execution, endings, replies, subagents, pace, logger, now },
      events: conversation,
      settings: settingsOfSessions,
    },
    signal,
  );
  const scheduler = new TurnScheduler({ turnQueues, runner, waits });
  const outcomes = new MessageOutcomes({ store, logger });
  const { router, services } = options;
  const compaction = new SessionCompaction({
    ...{ store, plugins, router, turnQueues, services, now },
    settings: settingsOfSessions,
  });
  const { findSurface } = channels;
  const tokens = new ButtonTokens(() => options.buttonKey());
  const cards = new ApprovalCards({
    ...{ broker: approvals, store, replies, tokens, findSurface, logger, now, timers, signal },
  });
  const delivery = () => settings.approvalDelivery;
  const { presence } = options;
  const approvalRequests = new ApprovalRequestDelivery({ presence, cards, delivery });
  const hostTurns = new HostTurns({
    ...{ sessions, scheduler, events, approvalRequests, findSurface, now },
  });
  const spawner = new SubagentSpawner(
    { store, turns: hostTurns, manager: subagents, logger },
    () => settings.maxSubagents,
  );
  const callers = new SessionCallers();
  const parts = {
    approvalRequests,
    callers,
    tokens,
    compaction,
    replies,
    outcomes,
    events,
    conversation,
    traces,
    sessions,
    turnQueues,
    subagents,
    scheduler,
    settings: settingsOfSessions,
    channels,
  };
  const { submissions, commands } = createSubmissions(options, parts);
  const authentication = new AuthenticationMode({
    ...{ store, events: options.events, logger, now },
    hasSecrets: options.secrets !== undefined,
  });
  const flow = createFlow(options, { ...parts, submissions, authentication });
  const targets = new ApprovalTargets({ presence, cards, findSurface, delivery });
  const proactive = new ProactiveMessages({ store, replies, findSurface });
  const channelInbound = new ChannelInbound({
    ...{ flow, logger, timers, safety, plugins, router, access: channels.access },
    accountOf: (channel, accountId) => channels.manager.account(channel, accountId),
  });
  return {
    flow,
    channels,
    channelInbound,
    channelMessages: new ChannelMessages({ proactive, manager: channels.manager }),
    commands,
    callers,
    outcomes,
    clientTurns: new ClientTurns(store),
    queue,
    turnQueues,
    hostTurns,
    forks: {
      runs: new RunForks({ store, turns: hostTurns, services, logger }),
      conversations: new ConversationForks({ store, sessions }),
    },
    posts: new ConversationPosts({
      ...{ store, turnQueues, replies, findSurface, now, events: conversation },
    }),
    sessions,
    subagents,
    spawner,
    traces,
    administration: createAdministration(options, parts),
    sessionSettings: settingsOfSessions,
    authentication,
    pluginMessages: new PluginMessages(proactive),
    attendTargets: () => targets.attend(),
  };
}

function createAdministration(
  options: MessagingOptions,
  { sessions, turnQueues, subagents, compaction }: LowerLayers,
): SessionAdministration {
  const { store, plugins, router, sessionStates, approvals, services } = options;
  const used = { store, plugins, router, turnQueues, services };
  const administered = { sessions, sessionStates, subagents, approvals, compaction };
  return new SessionAdministration({ ...used, ...administered });
}

function createSessions(
  options: MessagingOptions,
  settings: SessionSettings,
  turnQueues: Pick<SessionTurnQueues, "isFree">,
): SessionLifecycle {
  const { store, plugins, logger, sessionStates, processes, approvals } = options;
  const events = new SessionEvents({ plugins, store, logger });
  const resources = new SessionResources({ sessionStates, plugins, processes, approvals }, logger);
  const { now } = options.clock;
  const isFree = (sessionKey: string) => turnQueues.isFree(sessionKey);
  const idleMs = () =>
    (options.settings.session.idleTimeoutSeconds ?? DEFAULT_IDLE_SECONDS) * 1_000;
  const idle = { tasks: options.tasks, signal: options.signal, isFree, idleMs };
  return new SessionLifecycle(
    { idle, store, events, resources, settings, publisher: options.events, logger },
    { limits: () => options.settings.session.reset ?? {}, now },
  );
}

function createExecution(
  options: MessagingOptions,
  waits: ApprovalWaits,
  {
    conversation: events,
    settings,
    channels,
    pace,
  }: Pick<LowerLayers, "conversation" | "settings" | "channels"> & {
    readonly pace: BackgroundPace;
  },
): TurnExecution {
  const { store, plugins, logger, signal, router, presence, services, sessionStates } = options;
  const workspaceInstructions = async (workspaceDir: string) =>
    options.settings.workspaceInstructions?.(workspaceDir);
  const requests = new TurnRequests(
    {
      ...{ router, store, presence, settings, events, pace, logger, workspaceInstructions },
      capabilitiesOf: (channel, accountId) =>
        channels.manager.account(channel, accountId)?.channel.capabilities,
      replyExtentOf: (channel, accountId) => channels.manager.replyExtentOf(channel, accountId),
    },
    options.settings,
  );
  const runs = new AgentRuns({ plugins, services, sessionStates, requests }, signal);
  return new TurnExecution({ store, runs, waits });
}

/** The layers below the inbound flow. */
interface LowerLayers {
  readonly replies: ReplyDelivery;
  readonly outcomes: MessageOutcomes;
  readonly events: MessageEvents;
  readonly conversation: ConversationEvents;
  readonly traces: HookTraces;
  readonly sessions: SessionLifecycle;
  readonly turnQueues: SessionTurnQueues;
  readonly subagents: SubagentManager;
  readonly scheduler: TurnScheduler;
  readonly settings: SessionSettings;
  readonly compaction: SessionCompaction;
  readonly channels: Channels;
  readonly approvalRequests: ApprovalRequestDelivery;
  readonly callers: SessionCallers;
}

function createFlow(
  options: MessagingOptions,
  layers: LowerLayers & {
    readonly submissions: Submissions;
    readonly authentication: AuthenticationMode;
  },
): MessageFlow {
  const { store, plugins, logger, router, counters } = options;
  const { approvalRequests, replies, outcomes, events, conversation, traces } = layers;
  const { sessions, turnQueues, subagents, scheduler, callers } = layers;
  const { access, pairing, findSurface } = layers.channels;
  const { now } = options.clock;
  const answers = new MessageAnswers({ store, replies });
  const responder = new MessageResponder({ answers, events, plugins });
  const queueing = new TurnQueueing(
    {
      turns: new MessageTurns({ store, sessions, now }),
      scheduler,
      turnQueues,
      subagents,
      settings: layers.settings,
    },
    () => options.settings.session.queueMode ?? DEFAULT_QUEUE_MODE,
  );
  const reminders = new ApprovalReminders({ turnQueues, store, answers, logger });
  const admission = new MessageAdmission({
    ...{ plugins, answers, access, pairing, logger },
    transcription: new AudioTranscription({ plugins, logger }),
  });
  const { submissions, authentication } = layers;
  const credentials = new CredentialIntake({
    ...{ store, secrets: options.secrets, mode: authentication },
    ...{ submissions, admission, answers, responder, logger },
  });
  const inspection = new MessageInspection({ safety: () => options.services().safety, logger });
  return new MessageFlow(
    {
      intake: new MessageIntake({ store, counters, logger, now }),
      direct: new DirectMessages({
        plugins,
        router,
        turnQueues,
        sessions,
        admission,
        inspection,
        submissions,
      }),
      credentials,
      admission,
      inspection,
      router,
      submissions,
      enqueuer: new MessageEnqueuer({
        ...{ queueing, approvalRequests, reminders, callers, responder },
        credentials: authentication,
      }),
      responder,
    },
    {
      recovery: new MessageRecovery({
        ...{ store, scheduler, replies, findSurface, outcomes, logger, approvalRequests },
        events: conversation,
      }),
      scheduler,
      traces,
      handled: options.handled?.bind(options),
      events: conversation,
      authentication,
      outcomes,
      settings: options.settings,
      logger,
    },
  );
}
