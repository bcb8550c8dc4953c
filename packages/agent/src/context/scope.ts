import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { CoreTool } from "@openclaw/core-tools";
import type { Timers } from "@openclaw/foundation";
import type { HookDispatch } from "@openclaw/hook-runner";
import type { ModelCatalog, ResolvedModel } from "@openclaw/models";
import type { SearchableMemory } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type {
  AgentContext,
  AttachmentMeta,
  HookMap,
  HookTrace,
  SessionContext,
  ToolHookContext,
} from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { OutputOptions } from "@openclaw/safety";
import type { Store } from "@openclaw/store";
import type { Policy } from "@openclaw/tool-policy";
import type { ContextLimits } from "../conversation/compaction-plan.js";
import type { Counters } from "../counters.js";
import { TurnRecord } from "../journal/resume-state.js";
import type { RecordedRequest } from "../journal/turn-request.js";
import type { RecordedAnswers } from "../replay/responses.js";
import type { SkillCatalog } from "../skills/catalog.js";
import type { SubagentBounds, Subagents } from "../subagents/subagents.js";
import type { ToolRateLimits } from "../tool-call/rate-limits.js";
import type { OfferedTool, ToolSet } from "../tool-call/tool-set.js";
import { newTrace, stepTrace, traceFields } from "../trace.js";
import type { TurnBudgets } from "./budget.js";
import type { TurnEvent } from "./event.js";

/** What a host lends to every turn. */
export interface TurnServices {
  readonly store: Store;
  readonly models: ModelCatalog;
  readonly policy: Policy;
  readonly approvals: ApprovalBroker;
  /** Rules and limits of the safety engine, `safety`. */
  readonly safety: OutputOptions;
  readonly coreTools: readonly CoreTool[];
  readonly skills: SkillCatalog;
  /** Deadlines of tools by name in milliseconds, `tools.timeouts`. */
  readonly toolTimeouts: Readonly<Record<string, number>>;
  /** Calls of parallel-safe tools that run together at most, `tools.maxParallel`. */
  readonly maxParallelCalls: number;
  /** Counts calls per user, `tools.rateLimits`. */
  readonly toolRateLimits: ToolRateLimits;
  readonly maxIterations: number;
  /** Names the configuration that all of this comes from. */
  readonly configRevision: string;
  /** When conversations are shortened; those of the contract when absent. */
  readonly contextLimits?: ContextLimits;
  /** What models may use up; without it there is no limit. */
  readonly budgets?: TurnBudgets;
  readonly counters: Counters;
  readonly logger: Logger;
  /** The policy that holds now; `policy` is the one that the turn began with (POL-045). */
  latestPolicy(): Policy;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The child sessions of the host; without it turns cannot have any. */
  readonly subagents?: Subagents;
  /** In a replay: what models and tools are given in place of being asked. */
  readonly recordedAnswers?: RecordedAnswers;
  /** Timers of the deadlines of tools; those of the process when absent. */
  readonly timers?: Timers;
}

/** The generation of plugins that a turn began with and keeps to its end (TURN-012). */
export interface PluginPin {
  /** Number of the generation. */
  readonly generation: number;
  readonly hooks: HookDispatch<HookMap>;
  readonly tools: readonly OfferedTool[];
  /** The plugin in the memory slot; absent where nothing can be recalled. */
  readonly memory?: SearchableMemory | undefined;
  /**
   * Whether a plugin may add to prompts; what it left for next turns is not drained where it may not.
   * @param pluginId - the plugin
   */
  mayAddToPrompts(pluginId: string): boolean;
}

/** Who wrote, and on which surface. */
export interface TurnOrigin {
  readonly channel: string;
  readonly channelId: string;
  readonly messageId: string;
  readonly senderId: string;
  readonly senderIsOwner: boolean;
  /** What the surface calls the sender. */
  readonly senderName?: string;
  readonly accountId?: string;
  readonly threadId?: string;
  /** The group or room it was written in; absent in direct conversations. */
  readonly groupId?: string;
}

/** One turn to run. */
export interface TurnRequest {
  readonly runId: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly trigger: NonNullable<AgentContext["trigger"]>;
  /** What bounds it when its session is a child's. */
  readonly subagent?: SubagentBounds;
  readonly origin: TurnOrigin;
  /** What the person wrote. */
  readonly text: string;
  /** What is known of the files that came with it. */
  readonly attachments?: readonly AttachmentMeta[];
  /** `provider/model` when no hook overrides it. */
  readonly model: string;
  readonly workspaceDir: string;
  /** Replaces the built-in system prompt. */
  readonly instructions?: string;
  /** Appended to the system prompt for this turn, for example by an API request. */
  readonly extraInstructions?: string;
  /** Takes the place of the stored history for this turn, for callers that bring their own. */
  readonly history?: readonly AgentMessage[];
  /** Of the message that the turn answers; a turn without one begins its own. */
  readonly trace?: HookTrace;
  /** Aborts the turn: model stream and running tools. */
  readonly signal: AbortSignal;
  /**
   * Texts that came in since the turn began and are to be put to the model before its next answer
   * (TURN-056). Asked after each batch of tool calls; what it gives is the turn's own.
   */
  takeSteering?(): Promise<readonly string[]>;
  /** Whether somebody who may approve sees questions of the session now; nobody when absent (APPR-031). */
  isAttended?(): boolean;
  onEvent(event: TurnEvent): void;
}

/** A running turn: what was asked, what it may use, and the context its hooks see. */
export interface TurnScope {
  readonly request: TurnRequest;
  readonly services: TurnServices;
  readonly pin: PluginPin;
  /** What the run has done before, in this process or an earlier one. */
  readonly record: TurnRecord;
  /** Context of the turn's hooks; the model's fields join once it is resolved. */
  context: AgentContext;
  /** True while texts that plugins left are the turn's own and no model has received them yet. */
  holdsInjections: boolean;
  /** The tools that its calls are judged with; none before they are chosen. */
  tools: ToolSet;
  /** Names of the tools that loaded skills leave; undefined while none narrows them (EXT-009). */
  skillTools: ReadonlySet<string> | undefined;
  /** What plugins left for it and what the memory found, for its record. */
  gathered: Pick<RecordedRequest, "injections" | "recalled">;
  /** When a person last wrote into it; what was refused before may be asked again (APPR-016). */
  questionsSince: number;
}

/**
 * Opens the scope of a turn.
 * @param request - the turn
 * @param services - what the host lends
 * @param pin - the plugins it runs with
 * @param record - what its run has done before
 */
export function openTurnScope(
  request: TurnRequest,
  services: TurnServices,
  pin: PluginPin,
  record: TurnRecord = new TurnRecord(request.runId),
): TurnScope {
  const { origin, runId, trace } = request;
  return {
    request,
    services,
    pin,
    record,
    holdsInjections: false,
    tools: new Map(),
    skillTools: undefined,
    gathered: { injections: [] },
    questionsSince: 0,
    context: {
      callDepth: request.subagent?.depth ?? 0,
      ...traceFields(trace === undefined ? newTrace() : stepTrace(trace, runId)),
      agentId: request.agentId,
      sessionKey: request.sessionKey,
      sessionId: request.sessionId,
      runId: request.runId,
      trigger: request.trigger,
      workspaceDir: request.workspaceDir,
      messageProvider: origin.channel,
      channelId: origin.channelId,
      messageId: origin.messageId,
      senderId: origin.senderId,
      senderIsOwner: origin.senderIsOwner,
      ...(origin.accountId === undefined ? {} : { accountId: origin.accountId }),
      ...(origin.threadId === undefined ? {} : { threadId: origin.threadId }),
    },
  };
}

/**
 * Lets the hooks that fire from here on see which model the turn has.
 * @param turn - the running turn
 * @param model - the resolved model
 */
export function joinModel(turn: TurnScope, { provider, modelId }: ResolvedModel): void {
  turn.context = { ...turn.context, modelProviderId: provider, modelId };
}

/**
 * Context of the hooks around one tool call.
 * @param turn - the running turn
 * @param toolName - name of the called tool
 * @param toolCallId - id of the call
 */
export function toolContext(
  turn: TurnScope,
  toolName: string,
  toolCallId: string,
): ToolHookContext {
  const { context, request } = turn;
  const { trace = newTrace() } = context;
  return {
    ...context,
    ...traceFields(stepTrace(trace, toolCallId)),
    channel: request.origin.channel,
    toolName,
    toolCallId,
  };
}

/**
 * Context of the hooks about a turn's session: what every writer to that session knows.
 * @param turn - the running turn
 */
export function sessionContext({ context, request }: TurnScope): SessionContext {
  const { callDepth, trace = newTrace() } = context;
  const { agentId, sessionKey, sessionId } = request;
  return { callDepth, ...traceFields(trace), agentId, sessionKey, sessionId };
}

/** Observers are waited for only where their failure is to count (LIFE-037, LIFE-038). */
export const UNAWAITED = { wait: "fail-closed" } as const;
