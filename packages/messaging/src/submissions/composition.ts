import type { TurnDependencies } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { Timers } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import type { ApproverPresence } from "../approvals/approver-presence.js";
import type { ButtonTokens } from "../approvals/button-token.js";
import { ApprovalAnswers } from "../approvals/input.js";
import type { ApprovalRequestDelivery } from "../approvals/request-delivery.js";
import type { Channels } from "../channels/composition.js";
import type { SessionInterrupts } from "../sessions/interrupt.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import type { SessionCompaction } from "../turns/compaction.js";
import type { WorkspaceInstructions } from "../turns/workspace-instructions.js";
import { CommandCatalog } from "./catalog.js";
import { CommandInputs } from "./command-input.js";
import { CommandList } from "./command-list.js";
import { ControlCommands } from "./control-commands.js";
import { HistoryCommands } from "./history-commands.js";
import type { JobCommands } from "./job-commands.js";
import { ModelCommands } from "./model-commands.js";
import { PluginCommands } from "./plugin-commands.js";
import { ReportCommands } from "./report-commands.js";
import type { RoutineCommands } from "./routine-commands.js";
import { SessionRequests } from "./session-request.js";
import { Submissions } from "./submissions.js";
import { SystemCommands } from "./system-commands.js";
import { ThreadCommands } from "./thread-commands.js";
import { waitingNotice } from "./waiting-notice.js";

/** Options of {@link createSubmissions}. */
export interface SubmissionsOptions {
  readonly store: Store;
  readonly plugins: PluginRuntime;
  readonly logger: Logger;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
  readonly clock: {
    /** Returns milliseconds since the epoch. */
    now(): number;
    readonly timers: Timers;
  };
  readonly approvals: ApprovalBroker;
  readonly presence: Pick<ApproverPresence, "isAttended">;
  /** Commands about jobs; absent on a host without jobs. */
  readonly jobs?: JobCommands | undefined;
  /** Commands about routines; absent on a host without routines. */
  readonly routines?: RoutineCommands | undefined;
  /** Version of the product. */
  readonly version: string;
  /** Stops the host; absent when messages cannot stop it. */
  readonly quit?: (() => void) | undefined;
  readonly settings: {
    /** Receiver of slash words that are not commands, `gateway.unknownCommands`. */
    readonly unknownCommands?: "answer" | "model" | undefined;
    /** Returns the instructions of the project in a workspace; absent when there are none. */
    workspaceInstructions?(workspaceDir: string): Promise<WorkspaceInstructions>;
    /** Returns the state of the sandbox of commands in one line; absent when the host has none. */
    sandboxState?(): Promise<string>;
  };
  /** Returns the services for turns that start now. */
  services(): TurnDependencies;
}

/** Components that commands act on. */
export interface CommandTargets {
  readonly sessions: SessionLifecycle;
  readonly live: LiveSessions;
  readonly interrupts: SessionInterrupts;
  readonly compaction: SessionCompaction;
  readonly channels: Pick<Channels, "access" | "manager">;
  /** Buttons of approval requests. */
  readonly tokens: ButtonTokens;
  readonly approvalRequests: ApprovalRequestDelivery;
}

/**
 * Composes the commands of a host.
 * @param options - dependencies and settings of messaging
 * @param targets - components that the commands act on
 */
export function createSubmissions(
  options: SubmissionsOptions,
  { sessions, live, interrupts, compaction, channels, tokens, approvalRequests }: CommandTargets,
): { readonly submissions: Submissions; readonly commands: CommandList } {
  const { store, plugins, approvals, presence, services, signal, logger } = options;
  const { version, quit, clock } = options;
  const { access, manager } = channels;
  const { now, timers } = clock;
  const requests = new SessionRequests({ store, live, presence, signal, now });
  const catalog = new CommandCatalog({ plugins, canQuit: quit !== undefined });
  const inputs = new CommandInputs({ store, approvals, presence, approvalRequests });
  const pluginCommands = new PluginCommands({ plugins, store, access, inputs, timers, logger });
  const used = { store, live, sessions };
  const model = { ...used, plugins, requests, services };
  const submissions = new Submissions(
    {
      approvals: new ApprovalAnswers({ store, approvals, tokens, now }, store.messages.inbox),
      catalog,
      jobs: options.jobs,
      live,
      routines: options.routines,
      controls: new ControlCommands({ store, interrupts, approvals, quit }),
      history: new HistoryCommands(used),
      threads: new ThreadCommands({ ...used, approvals }),
      models: new ModelCommands({ ...model, compaction, signal }),
      system: new SystemCommands({ ...model, catalog, version }),
      reports: new ReportCommands({
        ...{ store, live, services, now },
        channels: () => manager.status,
        workspaceInstructions: async (folder) => options.settings.workspaceInstructions?.(folder),
        sandboxState: options.settings.sandboxState?.bind(options.settings),
      }),
      waiting: (sessionKey) => waitingNotice(sessionKey, { store, live }),
      plugins: pluginCommands,
      inputs,
    },
    () => options.settings.unknownCommands ?? "answer",
  );
  return { submissions, commands: new CommandList(catalog, pluginCommands) };
}
