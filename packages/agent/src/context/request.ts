import type { Approver } from "@openclaw/approval-broker";
import type { ChannelCapabilities } from "@openclaw/plugin-sdk/channel-core";
import type { AgentContext, AttachmentMeta, HookTrace } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { ApprovalKind } from "@openclaw/store/decisions";
import type { ModelBudget } from "../budget/limits.js";
import type { HarnessRun } from "../harness/run.js";
import type { ReplyExtent } from "../reply/parts.js";
import type { ClientRequest } from "./client.js";
import type { FinalOutcome, TurnEvent } from "./event.js";
import type { TurnWrite } from "./turn-write.js";

/** The sender of a message and the channel it came from. */
export interface TurnOrigin {
  readonly channel: string;
  readonly channelId: string;
  readonly messageId: string;
  readonly senderId: string;
  readonly senderIsOwner: boolean;
  /** Display name of the sender on the channel. */
  readonly senderName?: string | undefined;
  readonly accountId?: string | undefined;
  readonly threadId?: string | undefined;
  /** The group or room it was written in; absent in direct conversations. */
  readonly groupId?: string | undefined;
}

/** Limits of every turn in the session of a subagent, regardless of who writes to that session. */
export interface SubagentBounds {
  /** 1 for a subagent of an agent, 2 for a subagent of that subagent. */
  readonly depth: number;
  /** Names of the tools that the parent could use when it spawned the subagent (POL-014). */
  readonly parentTools: readonly string[];
  /** The subagent's own list of tools, if it has one. */
  readonly tools?: readonly string[] | undefined;
}

/** Limits of the turns of a job. */
export interface JobBounds {
  readonly jobId: string;
  readonly title: string;
  /** Execution model; one other than `worker` is the ID of a harness of the host (JOB-038). */
  readonly mode: string;
  readonly budget: ModelBudget;
  /** Maximum number of model calls in one turn. */
  readonly maxIterations: number;
}

/** One turn to run. */
export interface TurnRequest {
  readonly runId: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly trigger: NonNullable<AgentContext["trigger"]>;
  /** Limits of the turn when its session belongs to a subagent. */
  readonly subagent?: SubagentBounds | undefined;
  /** Limits of the turn when its session belongs to a job. */
  readonly job?: JobBounds | undefined;
  readonly origin: TurnOrigin;
  /** Text of the user's message. */
  readonly text: string;
  /** Metadata of the files that came with the message. */
  readonly attachments?: readonly AttachmentMeta[] | undefined;
  /** `provider/model` when no hook overrides it. */
  readonly model: string;
  readonly workspaceDir: string;
  /** Replaces the built-in system prompt. */
  readonly instructions?: string | undefined;
  /** Instructions of the project in the workspace, which follow the system prompt. */
  readonly workspaceInstructions?: string | undefined;
  /** Appended to the system prompt for this turn, for example by an API request. */
  readonly extraInstructions?: string | undefined;
  /** Replaces the stored history for this turn, for callers that bring their own. */
  readonly history?: readonly AgentMessage[] | undefined;
  /** The part of the request with which a client takes part in the model loop (GW-036). */
  readonly client?: ClientRequest | undefined;
  /** Trace of the message that the turn answers; without one the turn starts a new trace. */
  readonly trace?: HookTrace | undefined;
  /** Aborts the turn: model stream and running tools. */
  readonly signal: AbortSignal;
  /**
   * Returns the messages that arrived since the turn started and must reach the model before its next
   * answer (TURN-056). Called after each batch of tool calls; each returned message belongs to this turn.
   */
  readonly takeSteering?: (() => Promise<readonly string[]>) | undefined;
  /** Parts of the turn that are its reply; all of them when absent. */
  readonly reply?: ReplyExtent | undefined;
  /** True for the replay of a version whose replies could be empty (TURN-200). */
  readonly mayBeEmpty?: boolean | undefined;
  /** Capabilities of the channel of the message; absent where it declares none. */
  readonly channelCapabilities?: ChannelCapabilities | undefined;
  /**
   * Returns true while an approver sees the session's approval requests of a kind, or of any kind without one; absent
   * means false (APPR-031).
   */
  readonly isAttended?: ((kind?: ApprovalKind) => boolean) | undefined;
  /** True for a call that an operator or a client makes outside turns; no model wrote its arguments. */
  readonly isDirect?: boolean | undefined;
  /** Approver of the calls of this request, who is asked directly; absent where approvers see stored requests. */
  readonly approver?: Approver | undefined;
  /** Keeps the attempt of a harness while the turn waits for approval; without it the attempt ends with the run. */
  readonly harnessRun?: HarnessRun | undefined;
  /** True for a run that has taken no step yet, so that its journal need not be read. */
  readonly isNew?: boolean | undefined;
  /**
   * Stores the end of the turn, and the last writes of the run, in one transaction. Without it the run commits
   * its last writes itself.
   */
  readonly conclude?:
    | ((outcome: FinalOutcome, write: TurnWrite<void>) => Promise<void>)
    | undefined;
  onEvent(event: TurnEvent): void;
}
