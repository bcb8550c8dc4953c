import { answerOf } from "../approvals/answer.js";
import type { AppliedAnswer, ApprovalAnswers } from "../approvals/input.js";
import type { MessageOutcome } from "../messages/events.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import type { CommandCatalog } from "./catalog.js";
import type { AwaitedInput, CommandInputs } from "./command-input.js";
import type { CommandReply } from "./command-reply.js";
import type { ControlCommands } from "./control-commands.js";
import type { HistoryCommands } from "./history-commands.js";
import type { Intent, JobIntent } from "./intent.js";
import type { JobCommands } from "./job-commands.js";
import type { ModelCommands } from "./model-commands.js";
import { parseSubmission } from "./parser.js";
import type { PluginCommands } from "./plugin-commands.js";
import type { ReportCommands } from "./report-commands.js";
import { routeInput } from "./router.js";
import type { RoutineCommands } from "./routine-commands.js";
import type { Submission } from "./submission.js";
import type { SystemCommands } from "./system-commands.js";
import type { ThreadCommands } from "./thread-commands.js";

/** Answers of a message that is not passed to the agent, or not only. */
export interface SubmissionReply extends CommandReply {
  readonly answeredBy: NonNullable<MessageOutcome["answeredBy"]>;
  /** Name of the command without the slash, for plugins; undefined for a decision on an approval request. */
  readonly action?: string | undefined;
}

/** Dependencies of {@link Submissions}. */
export interface SubmissionsDependencies {
  readonly approvals: Pick<ApprovalAnswers, "isPending" | "answer">;
  readonly catalog: CommandCatalog;
  readonly controls: ControlCommands;
  readonly history: HistoryCommands;
  readonly threads: ThreadCommands;
  readonly models: ModelCommands;
  readonly system: SystemCommands;
  readonly reports: ReportCommands;
  readonly plugins: PluginCommands;
  readonly inputs: CommandInputs;
  /** Commands about jobs; absent on a host without jobs. */
  readonly jobs: JobCommands | undefined;
  /** Callers, who are told of the jobs that their commands start. */
  readonly live: Pick<LiveSessions, "of">;
  /** Commands about routines; absent on a host without routines. */
  readonly routines: RoutineCommands | undefined;
  /**
   * Returns why a command that runs between turns would wait without end; undefined when it would not.
   * @param sessionKey - full key of the session
   */
  waiting(sessionKey: string): Promise<string | undefined>;
}

/** Commands that run between the turns of their session. */
const RUNS_BETWEEN_TURNS: ReadonlySet<Submission["kind"]> = new Set([
  "Undo",
  "Redo",
  "Clear",
  "Resume",
  "Compact",
  "Summarize",
  "Suggest",
]);

const NO_JOBS = "This host has no background jobs.";
const NO_ROUTINES = "This host has no routines.";

/**
 * Reads the text of messages and answers those that are commands (SUB-016). Every surface uses this parser and this
 * router; what they leave is input for the agent.
 */
export class Submissions {
  readonly #dependencies: SubmissionsDependencies;
  readonly #unknownCommands: () => "answer" | "model";

  /**
   * @param dependencies - the commands
   * @param unknownCommands - returns the receiver of slash words that are not commands, `gateway.unknownCommands`
   */
  constructor(dependencies: SubmissionsDependencies, unknownCommands: () => "answer" | "model") {
    this.#dependencies = dependencies;
    this.#unknownCommands = unknownCommands;
  }

  /**
   * Returns true for text that is ordinary input in every state of the conversation.
   * @param text - text of a message
   */
  isOrdinary(text: string): boolean {
    const submission = parseSubmission(text, { approvalPending: true });
    return submission.kind === "UserInput" && routeInput(text) === undefined;
  }

  /**
   * Returns true when a message acts on a running turn and therefore must not wait for it: it interrupts the turn or
   * decides an approval request.
   * @param text - text of the message
   * @param sessionKey - session of the message
   */
  async isUrgent(text: string, sessionKey: string): Promise<boolean> {
    const submission = await this.#parse(text, sessionKey);
    switch (submission.kind) {
      case "Interrupt":
      case "ApprovalResponse":
      case "ExecApproval":
        return true;
      case "UserInput":
        return routeInput(text)?.kind === "Approval";
      default:
        return false;
    }
  }

  /**
   * Returns true for a command that the host knows, and for the decision on a pending approval request.
   * @param text - text of a message
   * @param sessionKey - session of the message
   */
  async isControl(text: string, sessionKey: string): Promise<boolean> {
    const submission = await this.#parse(text, sessionKey);
    if (submission.kind !== "UserInput") return true;
    const intent = text.trimStart().startsWith("/") ? routeInput(text) : undefined;
    if (intent === undefined || intent.kind === "Unknown") return false;
    const { catalog } = this.#dependencies;
    return intent.kind !== "Command" || catalog.find(intent.name) !== undefined;
  }

  /**
   * Answers a message, if it is a command or decides an approval request.
   * @param routed - message after the inbound hooks
   * @returns undefined for input for the agent
   */
  async answer(routed: RoutedMessage): Promise<SubmissionReply | undefined> {
    const { text } = routed.admitted;
    const awaits = this.#dependencies.inputs.restored(routed);
    if (awaits !== undefined) return { text: "", awaits, answeredBy: "command" };
    const submission = await this.#parse(text, routed.route.sessionKey);
    const { approvals, history, threads, models, system, controls } = this.#dependencies;
    if (RUNS_BETWEEN_TURNS.has(submission.kind)) {
      const waiting = await this.#dependencies.waiting(routed.route.sessionKey);
      if (waiting !== undefined) return command(submission.kind.toLowerCase(), { text: waiting });
    }
    switch (submission.kind) {
      case "UserInput": {
        const intent = routeInput(text);
        return intent && (await this.#answerIntent(intent, routed));
      }
      case "ApprovalResponse":
      case "ExecApproval":
        return approved(await approvals.answer(answerOf(submission, text), routed));
      case "SystemCommand":
        return command(submission.command, await system.answer(submission, routed));
      case "SwitchThread":
        return command(
          "thread",
          (await threads.switchTo(routed, submission.threadId)) ?? notFound("conversation"),
        );
      case "Resume": {
        const { checkpointId } = submission;
        const reply =
          (await history.restore(routed, checkpointId)) ??
          (await threads.switchTo(routed, checkpointId));
        return command("resume", reply ?? notFound("checkpoint or conversation"));
      }
      case "Undo":
        return command("undo", await history.undo(routed));
      case "Redo":
        return command("redo", await history.redo(routed));
      case "Clear":
        return command("clear", await history.clear(routed));
      case "NewThread":
        return command("new", await threads.start(routed, "new"));
      case "Compact":
        return command("compact", { text: await models.compact(routed) });
      case "Summarize":
        return command("summarize", { text: await models.ask("summary", routed) });
      case "Suggest":
        return command("suggest", { text: await models.ask("suggestions", routed) });
      case "Heartbeat":
        return command("heartbeat", {
          text: (await this.#dependencies.routines?.heartbeat(routed)) ?? NO_ROUTINES,
        });
      case "Interrupt":
        return {
          ...command("stop", { text: await controls.interrupt(routed) }),
          answeredBy: "control",
        };
      case "Quit":
        return { ...command("quit", await controls.quit(routed)), answeredBy: "control" };
    }
  }

  /**
   * Waits until the input of a command is decided.
   * @param awaited - the command
   * @param signal - ends the wait; a later process continues it
   * @throws the reason of the signal
   */
  async decided(awaited: AwaitedInput, signal: AbortSignal): Promise<void> {
    await this.#dependencies.inputs.decided(awaited, signal);
  }

  /**
   * Runs a command once more, with its input.
   * @param awaited - command whose input was decided
   * @param routed - message that is the command
   */
  async resume(awaited: AwaitedInput, routed: RoutedMessage): Promise<SubmissionReply> {
    const { catalog, plugins, inputs } = this.#dependencies;
    const given = await inputs.received(awaited, routed);
    const { name, command: registered } = awaited.stored;
    if (typeof given === "string") return command(name, { text: given });
    const registration = catalog.find(registered);
    if (registration?.pluginId !== given.called.pluginId) {
      return command(name, { text: `The command /${name} is no longer offered.` });
    }
    const intent = { name, text: given.called.args };
    return command(name, await plugins.run(registration, intent, routed, given));
  }

  async #answerIntent(intent: Intent, routed: RoutedMessage): Promise<SubmissionReply | undefined> {
    const { approvals, catalog, controls, threads, plugins, reports } = this.#dependencies;
    switch (intent.kind) {
      case "Approval":
        return approved(await approvals.answer(intent.answer, routed));
      case "Reset":
        return command("reset", await threads.start(routed, "reset"));
      case "Elevate":
        return command("elevated", { text: await controls.elevate(intent, routed) });
      case "ListThreads":
        return command("threads", { text: await threads.list(routed.route.sessionKey) });
      case "ListSessions":
        return command("sessions", {
          text: await threads.listSessions(routed.admitted.senderIsOwner),
        });
      case "HelpJob":
        return command("help", {
          text:
            catalog.explain(intent.jobId) ??
            (await this.#dependencies.jobs?.answer(intent, routed)) ??
            catalog.unknown(intent.jobId),
        });
      case "ListApprovals":
        return command("approvals", { text: await reports.approvals(routed) });
      case "ShowCost":
        return command("cost", { text: await reports.cost(routed) });
      case "Routine":
        return command("cron", {
          text: (await this.#dependencies.routines?.answer(intent.text, routed)) ?? NO_ROUTINES,
        });
      case "CheckJobStatus":
        return intent.jobId === undefined
          ? command("status", { text: await reports.status(routed) })
          : await this.#answerJob(intent, routed);
      case "CreateJob":
      case "CancelJob":
      case "RestartJob":
      case "ContinueJob":
      case "PromptJob":
      case "LogJob":
      case "ListJobs":
        return await this.#answerJob(intent, routed);
      case "Command": {
        const registration = catalog.find(intent.name);
        if (registration !== undefined) {
          return command(intent.name, await plugins.run(registration, intent, routed));
        }
        if (this.#unknownCommands() === "model") return undefined;
        return unknown(catalog.unknown(intent.name));
      }
      case "Unknown":
        if (this.#unknownCommands() === "model") return undefined;
        return unknown(`Nothing was done: ${intent.problem}. /help lists the commands.`);
    }
  }

  async #answerJob(intent: JobIntent, routed: RoutedMessage): Promise<SubmissionReply> {
    const { jobs, live } = this.#dependencies;
    const attending = live.of(routed.route.sessionKey).attend({
      onJobStarted: (status) => routed.caller.onJobStarted?.(status),
    });
    try {
      const text = await jobs?.answer(intent, routed);
      return command("jobs", { text: text ?? NO_JOBS });
    } finally {
      attending.end();
    }
  }

  /** Parses a text; only one that may decide a request needs the state of the conversation. */
  async #parse(text: string, sessionKey: string): Promise<Submission> {
    const submission = parseSubmission(text, { approvalPending: true });
    if (submission.kind !== "ApprovalResponse") return submission;
    const approvalPending = await this.#dependencies.approvals.isPending(sessionKey);
    return parseSubmission(text, { approvalPending });
  }
}

function command(action: string, reply: CommandReply): SubmissionReply {
  return { ...reply, action, answeredBy: "command" };
}

function unknown(text: string): SubmissionReply {
  return { text, answeredBy: "command" };
}

function approved(answer: AppliedAnswer | undefined): SubmissionReply | undefined {
  return answer && { ...answer, answeredBy: "approval" };
}

function notFound(what: string): CommandReply {
  return { text: `This session has no such ${what}. /resume lists what there is.` };
}
