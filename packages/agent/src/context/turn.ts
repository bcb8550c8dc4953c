import { defined } from "@openclaw/foundation";
import type {
  AgentContext,
  QueuedInjection,
  RecallResult,
  ToolHookContext,
} from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { HarnessRun } from "../harness/run.js";
import { newTrace, stepTrace, traceFields } from "../trace.js";
import { FailedCalls } from "./failed-calls.js";
import type { PluginPin } from "./plugin-pin.js";
import type { TurnRequest } from "./request.js";
import type { WaitingWrite } from "./turn-write.js";

/** The part of a running turn that does not change from its start to its end. */
export interface TurnContext {
  readonly request: TurnRequest;
  readonly pin: PluginPin;
}

/** Denied call of a turn: no approver decided about it, or one denied it. */
export interface UnapprovedCall {
  readonly toolName: string;
  readonly isRefused: boolean;
}

/** Text from outside the turn that is added to its prompt. */
export interface GatheredTexts {
  /** Prompt injections that plugins queued for the turn. */
  readonly injections: readonly QueuedInjection[];
  /** Results of the memory search before any hook chose; absent where none was searched. */
  readonly recalled?: readonly RecallResult[] | undefined;
  /** Reason why the memory could not be searched; absent when it could. */
  readonly recallProblem?: string | undefined;
  /** Resources that the message names, as they were read; absent when it names none. */
  readonly mentioned?: string | undefined;
}

/** The part of a running turn that its steps change. */
export interface TurnState {
  /**
   * Context of the turn's hooks; has the model's fields once the model is resolved, and for a nested call those of the
   * call that made it.
   */
  hookContext: AgentContext & Pick<ToolHookContext, "parentToolCallId" | "parentStepId">;
  /** True while the turn holds prompt injections that no model has received yet. */
  holdsInjections: boolean;
  /** Names of the tools that the model may call, in order; empty until they are chosen. */
  toolNames: readonly string[];
  /** Names of the tools that loaded skills leave; undefined while no skill narrows them (EXT-009). */
  skillTools: ReadonlySet<string> | undefined;
  gathered: GatheredTexts;
  /** Messages before the turn's message, as the model receives them; empty until they are chosen. */
  selected: readonly AgentMessage[];
  /** Writes that the next commit of the turn includes, oldest first. */
  readonly waitingWrites: WaitingWrite[];
  /**
   * Time of the last message of a user in the turn, in milliseconds since the epoch; a call that was denied
   * before it may be requested again (APPR-016).
   */
  lastUserMessageAt: number;
  /** Names of the tools of calls that were denied because no approver decided about them, by the IDs of the calls. */
  readonly unapproved: Map<string, UnapprovedCall>;
  /** Failures of equal calls, after which the next one is denied (JOB-023). */
  readonly failedCalls: FailedCalls;
  /** True when the last answer was shown and called no tools: the next one is a paragraph below it. A tool call ends a paragraph. */
  hasShownText: boolean;
  /** The harness of the turn, if one runs it. */
  readonly harnessRun: HarnessRun;
}

/** A running turn as one of its steps sees it, with the dependencies that the step uses. */
export interface RunningTurn<Dependencies = unknown> extends TurnContext {
  readonly state: TurnState;
  readonly dependencies: Dependencies;
}

/**
 * Starts a turn with an empty state.
 * @param pin - plugins of the turn
 * @param dependencies - dependencies of the turn's steps
 */
export function startTurn<Dependencies>(
  request: TurnRequest,
  pin: PluginPin,
  dependencies: Dependencies,
): RunningTurn<Dependencies> {
  return {
    request,
    pin,
    dependencies,
    state: {
      hookContext: agentContext(request),
      holdsInjections: false,
      toolNames: [],
      skillTools: undefined,
      gathered: { injections: [] },
      selected: [],
      waitingWrites: [],
      lastUserMessageAt: 0,
      unapproved: new Map(),
      hasShownText: false,
      failedCalls: new FailedCalls(),
      harnessRun: request.harnessRun ?? new HarnessRun(),
    },
  };
}

function agentContext(request: TurnRequest): AgentContext {
  const { origin, runId, trace } = request;
  const { accountId, threadId, groupId } = origin;
  return {
    callDepth: request.subagent?.depth ?? 0,
    ...traceFields(trace === undefined ? newTrace() : stepTrace(trace, runId)),
    agentId: request.agentId,
    sessionKey: request.sessionKey,
    sessionId: request.sessionId,
    runId: request.runId,
    trigger: request.trigger,
    ...defined({ jobId: request.job?.jobId }),
    workspaceDir: request.workspaceDir,
    messageProvider: origin.channel,
    channelId: origin.channelId,
    messageId: origin.messageId,
    senderId: origin.senderId,
    senderIsOwner: origin.senderIsOwner,
    ...defined({ accountId, threadId, groupId }),
  };
}
