import type { Counters, TurnDependencies } from "@openclaw/agent";
import type { ApprovalBroker, ApprovalDelivery } from "@openclaw/approval-broker";
import type { BackgroundProcesses } from "@openclaw/core-tools";
import type { BackgroundTasks } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { EventPublisher } from "@openclaw/protocol";
import type { PluginSecrets, Store } from "@openclaw/store";
import type { ChannelAccess } from "@openclaw/tool-policy";
import type { ApproverPresence } from "./approvals/approver-presence.js";
import type { Channels } from "./channels/composition.js";
import type { ChannelInbound } from "./channels/inbound.js";
import type { LostMessages } from "./channels/lost-messages.js";
import type { ChannelMessages } from "./channels/messages.js";
import type { AuthenticationMode } from "./credentials/authentication-mode.js";
import type { ConversationPosts } from "./delivery/conversation-posts.js";
import type { FailedReplies } from "./delivery/failed-replies.js";
import type { ForwardOf } from "./delivery/forwarded-replies.js";
import type { PluginMessages } from "./delivery/plugin-messages.js";
import type { FindSurface } from "./delivery/recovered-caller.js";
import type { HostSpeech } from "./delivery/spoken-reply.js";
import type { ConversationForks } from "./forks/conversation-forks.js";
import type { RunForks } from "./forks/run-forks.js";
import type { MessageFlow } from "./inbound/flow.js";
import type { MessageOutcomes } from "./inbound/outcomes.js";
import type { HookTraces } from "./messages/hook-traces.js";
import type { InboundMessage, ReplyOutcome } from "./messages/inbound.js";
import type { MessageRouter } from "./messages/route.js";
import type { SessionAdministration } from "./sessions/administration.js";
import type { SessionConfiguration } from "./sessions/configuration.js";
import type { SessionInterrupts } from "./sessions/interrupt.js";
import type { SessionLifecycle } from "./sessions/lifecycle.js";
import type { LiveSessions } from "./sessions/live-sessions.js";
import type { SessionStates } from "./sessions/states.js";
import type { SubagentClock, SubagentManager } from "./subagents/manager.js";
import type { SubagentSpawner } from "./subagents/spawner.js";
import type { CommandList } from "./submissions/command-list.js";
import type { JobCommands } from "./submissions/job-commands.js";
import type { RoutineCommands } from "./submissions/routine-commands.js";
import type { ClientTurns } from "./turns/client-turns.js";
import type { HostTurns } from "./turns/host-turns.js";
import type { AgentSettings } from "./turns/request.js";
import type { WorkspaceInstructions } from "./turns/workspace-instructions.js";

/** Dependencies of every layer of messaging. */
interface Foundations {
  readonly store: Store;
  readonly plugins: PluginRuntime;
  readonly logger: Logger;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
  readonly clock: SubagentClock;
  /** Background tasks of the host; the search for idle sessions is one. */
  readonly tasks: Pick<BackgroundTasks, "add">;
}

/** Limits and defaults of conversations, from the configuration; they are read at each use, because a reload changes them. */
export interface MessagingSettings extends AgentSettings {
  /** The section `session`. */
  readonly session: SessionConfiguration;
  /** The section `approvals.delivery`. */
  readonly approvalDelivery?: ApprovalDelivery | undefined;
  /** Maximum number of accepted messages without an outcome; 10 000 when absent. */
  readonly maxBacklog?: number | undefined;
  /** Maximum number of subagents that run for one session. */
  readonly maxSubagents: number;
  /**
   * Returns the instructions of the project in a workspace; absent when there are none.
   * @param workspaceDir - absolute path
   */
  workspaceInstructions?(workspaceDir: string): Promise<WorkspaceInstructions>;
  /** Returns the state of the sandbox of commands in one line; absent when the host has none. */
  sandboxState?(): Promise<string>;
  /** Receiver of slash words that are not commands, `gateway.unknownCommands`. */
  readonly unknownCommands?: "answer" | "model" | undefined;
}

/** Options of `createMessaging`. */
export interface MessagingOptions extends Foundations {
  readonly settings: MessagingSettings;
  /** The sessions of which this process keeps something. */
  readonly live: LiveSessions;
  readonly approvals: ApprovalBroker;
  readonly presence: ApproverPresence;
  /** Sends events to the connected clients. */
  readonly events: EventPublisher;
  readonly router: MessageRouter;
  readonly sessionStates: SessionStates;
  readonly processes: Pick<BackgroundProcesses, "endSession">;
  readonly counters: Counters;
  /** The access lists of channels. */
  readonly access: Pick<ChannelAccess, "decide">;
  /** Absolute path of the folder for files that channels receive. */
  filesDir(): string;
  readonly findSurface: FindSurface;
  /** Returns the conversation that receives the replies for another target, such as that of a webhook. */
  readonly forwardOf?: ForwardOf | undefined;
  /** Provider of spoken replies; absent for a host that sends text only. */
  readonly speech?: HostSpeech | undefined;
  /** Returns the key of the installation, of at least 32 bytes, which protects the buttons of approval requests. */
  buttonKey(): Uint8Array;
  /** Stores the credentials that plugins request; absent when the host stores no secrets. */
  readonly secrets?: Pick<PluginSecrets, "put"> | undefined;
  /** Commands about jobs; absent on a host without jobs. */
  readonly jobs?: JobCommands | undefined;
  /** Commands about routines; absent on a host without routines. */
  readonly routines?: RoutineCommands | undefined;
  /**
   * Receives each message once it has been handled.
   * @param message - message of a surface
   * @param outcome - its outcome
   */
  handled?(message: InboundMessage, outcome: ReplyOutcome): void;
  /** Version of the product. */
  readonly version: string;
  /** Stops the host; absent when messages cannot stop it. */
  readonly quit?: (() => void) | undefined;
  /** Returns the services for turns that start now. */
  services(): TurnDependencies;
}

/** The components of messaging that a host uses. */
export interface Messaging {
  readonly flow: MessageFlow;
  /** Channels of plugins, and the senders that they accept. */
  readonly channels: Pick<Channels, "manager" | "pairing" | "files" | "findSurface">;
  /** Messages of agents to conversations of channels. */
  readonly channelMessages: ChannelMessages;
  /** Receiver of the messages of channels. */
  readonly channelInbound: ChannelInbound;
  /** Messages that plugins of channels lost. */
  readonly lostMessages: LostMessages;
  /** Commands that work now. */
  readonly commands: CommandList;
  /** Outcomes of messages that callers repeat. */
  readonly outcomes: MessageOutcomes;
  /** Turns that clients continue. */
  readonly clientTurns: ClientTurns;
  /** The sessions of which this process keeps something: their queues and settings. */
  readonly live: LiveSessions;
  /** Turns that the host starts by itself. */
  readonly hostTurns: HostTurns;
  /** Continues recorded runs and conversations from earlier points. */
  readonly forks: { readonly runs: RunForks; readonly conversations: ConversationForks };
  /** Results that the host adds to conversations. */
  readonly posts: ConversationPosts;
  /** Interrupts turns, on whichever node they run. */
  readonly interrupts: SessionInterrupts;
  /** Replies that could not be delivered. */
  readonly failedReplies: FailedReplies;
  readonly sessions: SessionLifecycle;
  readonly subagents: SubagentManager;
  readonly spawner: SubagentSpawner;
  readonly traces: HookTraces;
  /** Reads and changes sessions for operators. */
  readonly administration: SessionAdministration;
  /** Credentials that plugins request. */
  readonly authentication: Pick<AuthenticationMode, "load" | "request">;
  /** Messages of plugins that answer none. */
  readonly pluginMessages: PluginMessages;
  /** Sends approval requests to the configured conversations; called once channels can be found. */
  attendTargets(): void;
}
