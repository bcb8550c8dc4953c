import { ButtonTokens } from "./approvals/button-token.js";
import { ApprovalCards } from "./approvals/cards.js";
import { ApprovalReminders } from "./approvals/reminders.js";
import { ApprovalRequestDelivery } from "./approvals/request-delivery.js";
import { ApprovalTargets } from "./approvals/targets.js";
import { type Channels, createChannels } from "./channels/composition.js";
import { ChannelInbound } from "./channels/inbound.js";
import { LostMessages } from "./channels/lost-messages.js";
import { ChannelMessages } from "./channels/messages.js";
import { AuthenticationMode } from "./credentials/authentication-mode.js";
import { redactReply } from "./delivery/chunk.js";
import { ConversationPosts } from "./delivery/conversation-posts.js";
import { FailedReplies } from "./delivery/failed-replies.js";
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
import { MessageRecovery } from "./inbound/recovery.js";
import { MessageResponder } from "./inbound/responder.js";
import { AudioTranscription } from "./inbound/transcription.js";
import { ConversationEvents } from "./messages/conversation-events.js";
import { MessageEvents } from "./messages/events.js";
import { HookTraces } from "./messages/hook-traces.js";
import { ReceivedFiles } from "./messages/received-files.js";
import type { Messaging, MessagingOptions } from "./messaging-options.js";
import { SessionAdministration } from "./sessions/administration.js";
import { DEFAULT_IDLE_SECONDS, DEFAULT_QUEUE_MODE } from "./sessions/configuration.js";
import { SessionEvents } from "./sessions/events.js";
import { SessionInterrupts } from "./sessions/interrupt.js";
import { SessionLifecycle } from "./sessions/lifecycle.js";
import type { LiveSessions } from "./sessions/live-sessions.js";
import { SessionResources } from "./sessions/resources.js";
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
import { TurnRunner } from "./turns/runner.js";

/**
 * Composes messaging, one layer after another: delivery, sessions, queues, subagents, turns, inbound.
 * @param options - dependencies and settings of the layers
 */
export function createMessaging(options: MessagingOptions): Messaging {
  const { store, plugins, logger, signal, approvals, settings, clock, live } = options;
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
  const sessions = createSessions(options);
  const reports = new SubagentReports({ store, plugins, replies, logger }, { safety, now });
  const subagents = new SubagentManager({ store, live, reports, logger }, clock);

  const interrupts = new SessionInterrupts({ store, live, subagents, timers, logger, signal });

  const waits = new ApprovalWaits(approvals);
  const late = { timers, signal, logger };
  const endings = new TurnEndings({ store, approvals, traces, late });
  const pace = new BackgroundPace();
  const execution = createExecution(options, waits, { conversation, pace, channels });
  const runner = new TurnRunner(
    {
      ...{ live, execution, endings, replies, subagents, pace, logger, now },
      events: conversation,
    },
    signal,
  );
  const outcomes = new MessageOutcomes({ store, logger });
  const { router, services } = options;
  const compaction = new SessionCompaction({
    ...{ store, plugins, router, live, services, now },
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
    ...{ sessions, runner, events, approvalRequests, findSurface, now },
  });
  const spawner = new SubagentSpawner(
    { store, turns: hostTurns, manager: subagents, logger },
    () => settings.maxSubagents,
  );
  const parts = {
    approvalRequests,
    tokens,
    compaction,
    replies,
    outcomes,
    events,
    conversation,
    traces,
    sessions,
    live,
    subagents,
    interrupts,
    runner,
    waits,
    channels,
  };
  const { submissions, commands } = createSubmissions(options, parts);
  const authentication = new AuthenticationMode({
    ...{ live, store, events: options.events, logger, now },
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
    lostMessages: new LostMessages({
      ...{ store, logger, manager: channels.manager, receiver: channelInbound },
      redact: (text) => redactReply(text, safety()),
    }),
    channelMessages: new ChannelMessages({ proactive, manager: channels.manager }),
    commands,
    outcomes,
    clientTurns: new ClientTurns(store),
    live,
    hostTurns,
    forks: {
      runs: new RunForks({ store, turns: hostTurns, services, logger }),
      conversations: new ConversationForks({ store, sessions }),
    },
    interrupts,
    failedReplies: new FailedReplies({ store, replies, findSurface, logger }),
    posts: new ConversationPosts({
      ...{ store, live, replies, findSurface, now, events: conversation },
    }),
    sessions,
    subagents,
    spawner,
    traces,
    administration: createAdministration(options, parts),
    authentication,
    pluginMessages: new PluginMessages(proactive),
    attendTargets: () => targets.attend(),
  };
}

function createAdministration(
  options: MessagingOptions,
  { sessions, subagents, compaction }: LowerLayers,
): SessionAdministration {
  const { store, plugins, router, sessionStates, approvals, services, live } = options;
  const used = { store, plugins, router, live, services };
  const administered = { sessions, sessionStates, subagents, approvals, compaction };
  return new SessionAdministration({ ...used, ...administered });
}

function createSessions(options: MessagingOptions): SessionLifecycle {
  const { store, plugins, logger, sessionStates, processes, approvals, live } = options;
  const events = new SessionEvents({ plugins, store, logger });
  const resources = new SessionResources({ sessionStates, plugins, processes, approvals }, logger);
  const { now } = options.clock;
  const idleMs = () =>
    (options.settings.session.idleTimeoutSeconds ?? DEFAULT_IDLE_SECONDS) * 1_000;
  const idle = { tasks: options.tasks, signal: options.signal, idleMs };
  return new SessionLifecycle(
    { idle, live, store, events, resources, publisher: options.events, logger },
    { limits: () => options.settings.session.reset ?? {}, now },
  );
}

function createExecution(
  options: MessagingOptions,
  waits: ApprovalWaits,
  {
    conversation: events,
    channels,
    pace,
  }: Pick<LowerLayers, "conversation" | "channels"> & {
    readonly pace: BackgroundPace;
  },
): TurnExecution {
  const { store, plugins, logger, signal, router, presence, services, sessionStates, live } =
    options;
  const workspaceInstructions = async (workspaceDir: string) =>
    options.settings.workspaceInstructions?.(workspaceDir);
  const requests = new TurnRequests(
    {
      ...{ router, store, presence, live, events, pace, logger, workspaceInstructions },
      capabilitiesOf: (channel, accountId) =>
        channels.manager.account(channel, accountId)?.channel.capabilities,
      replyExtentOf: (channel, accountId) => channels.manager.replyExtentOf(channel, accountId),
    },
    options.settings,
  );
  return new TurnExecution({ store, plugins, services, sessionStates, requests, waits }, signal);
}

/** The layers below the inbound flow. */
interface LowerLayers {
  readonly replies: ReplyDelivery;
  readonly outcomes: MessageOutcomes;
  readonly events: MessageEvents;
  readonly conversation: ConversationEvents;
  readonly traces: HookTraces;
  readonly sessions: SessionLifecycle;
  readonly live: LiveSessions;
  readonly subagents: SubagentManager;
  readonly interrupts: SessionInterrupts;
  readonly runner: TurnRunner;
  readonly waits: ApprovalWaits;
  readonly compaction: SessionCompaction;
  readonly channels: Channels;
  readonly approvalRequests: ApprovalRequestDelivery;
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
  const { sessions, live, interrupts, runner, waits } = layers;
  const { access, pairing, findSurface } = layers.channels;
  const { now } = options.clock;
  const answers = new MessageAnswers({ store, replies });
  const responder = new MessageResponder({ answers, events, plugins });
  const reminders = new ApprovalReminders({ live, store, answers, logger });
  const admission = new MessageAdmission({
    ...{ plugins, answers, access, pairing, logger },
    transcription: new AudioTranscription({ plugins, logger }),
  });
  const { submissions, authentication } = layers;
  const credentials = new CredentialIntake({
    ...{ live, store, secrets: options.secrets, mode: authentication },
    ...{ submissions, admission, answers, responder, logger },
  });
  const inspection = new MessageInspection({ safety: () => options.services().safety, logger });
  return new MessageFlow(
    {
      intake: new MessageIntake({ store, counters, logger, now }),
      direct: new DirectMessages({
        plugins,
        router,
        live,
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
      enqueuer: new MessageEnqueuer(
        {
          turns: new MessageTurns({ store, sessions, now }),
          ...{ runner, live, interrupts, approvalRequests, reminders, responder },
        },
        () => options.settings.session.queueMode ?? DEFAULT_QUEUE_MODE,
      ),
      responder,
    },
    {
      recovery: new MessageRecovery({
        ...{ store, runner, replies, findSurface, outcomes, logger, approvalRequests },
        events: conversation,
      }),
      live,
      waits,
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
