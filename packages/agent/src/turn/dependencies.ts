import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { CoreTool } from "@openclaw/core-tools";
import type { Timers } from "@openclaw/foundation";
import type { ModelCatalog, ModelTable } from "@openclaw/models";
import type { Logger } from "@openclaw/plugin-sdk";
import type { SafetySettings } from "@openclaw/safety";
import type { Store } from "@openclaw/store";
import type { Policy } from "@openclaw/tool-policy";
import type { BudgetWarnings } from "../budget/budget-warnings.js";
import type { TurnBudgets } from "../budget/limits.js";
import type { PolicyShadow } from "../context/policy-shadow.js";
import type { ContextLimits } from "../conversation/compaction-plan.js";
import type { Counters } from "../counters.js";
import type { HarnessSelectionDependencies } from "../harness/selection.js";
import type { BrokenTools } from "../offer/broken-tools.js";
import type { SkillCatalog } from "../skills/catalog.js";
import type { Subagents } from "../subagents/subagents.js";
import type { RecordedOutputs } from "../tool-call/execution.js";
import type { ToolCallLimits } from "../tool-call/rate-limits.js";
import type { MentionDependencies } from "./mentioned-resources.js";
import type { ModelCallModels, RecordedReplies } from "./model-call.js";
import type { ModelStreams } from "./model-stream.js";

/** The models of turns, and how much they may use. */
export interface TurnModels
  extends Pick<ModelCallModels, "modelChain" | "fallbacksOf">,
    Pick<HarnessSelectionDependencies, "agentRuntimeOf" | "jobHarnesses"> {
  readonly models: ModelCatalog;
  /** Maximum number of model calls in one turn. */
  readonly maxIterations: number;
  /** Size from which conversations are shortened; the limits of the contract when absent. */
  readonly contextLimits?: ContextLimits | undefined;
  /** Budgets of models; no limit when absent. */
  readonly budgets?: TurnBudgets | undefined;
  /** Prices of models; the committed table when absent. */
  readonly modelTable?: ModelTable | undefined;
  /** Warnings about budgets that were logged; each call may log them when absent. */
  readonly budgetWarnings?: BudgetWarnings | undefined;
  /** True streams text although a hook may still rewrite it, `streaming.previewBeforeHooks`. */
  readonly previewBeforeHooks?: boolean | undefined;
  /** Observes the events of models; nothing does by default. */
  readonly modelStreams?: ModelStreams | undefined;
}

/** The tools of turns, and how they run. */
export interface TurnToolSources {
  readonly coreTools: readonly CoreTool[];
  readonly skills: SkillCatalog;
  /** The subagents of the host; without it turns cannot spawn any. */
  readonly subagents?: Subagents | undefined;
  /** Deadlines of tools by name in milliseconds, `tools.timeouts`. */
  readonly toolTimeouts: Readonly<Record<string, number>>;
  /**
   * Runs a tool of a plugin so that what it does to the process is attributed to the plugin.
   * @param execute - calls the tool
   */
  callPlugin?<Result>(pluginId: string, execute: () => Result): Result;
  /** Maximum number of calls of parallel-safe tools that run together, `tools.maxParallel`. */
  readonly maxParallelCalls: number;
  /**
   * Share of the context window of a model above which the definitions of MCP tools are deferred, `tools.search.share`; a
   * tenth when absent.
   */
  readonly definitionShare?: number | undefined;
  /** Entries of tools whose definitions are always deferred, `tools.search.defer`; those of `DEFAULT_DEFERRED` when absent. */
  readonly deferred?: readonly string[] | undefined;
}

/** The guards of tool calls. */
export interface TurnGuards {
  readonly policy: Policy;
  /** Returns the policy in force now; `policy` is the one with which the turn started (POL-045). */
  readonly latestPolicy: () => Policy;
  /** Policy that is evaluated in addition to the one in force and never applied, `tools.candidate` (POL-035). */
  readonly shadow?: PolicyShadow | undefined;
  readonly approvals: ApprovalBroker;
  /** Rules and limits of the safety engine, `safety`. */
  readonly safety: SafetySettings;
  /** Counts calls per user, `tools.rateLimits`. */
  readonly toolRateLimits: ToolCallLimits;
  /** Tools that fail each time they are called; none is hidden when absent. */
  readonly brokenTools?: BrokenTools | undefined;
}

/** Storage for records of turns. */
export interface TurnRecords {
  readonly store: Store;
  readonly logger: Logger;
  readonly counters: Counters;
  /** Revision of the configuration from which the dependencies were made. */
  readonly configRevision: string;
  /** Revision of the loaded plugins. */
  readonly pluginRevision?: string | undefined;
}

/** The clock of turns. */
export interface TurnClock {
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Timers of the deadlines of tools; those of the process when absent. */
  readonly timers?: Timers | undefined;
}

/** In a replay, the answers of the recorded run, used instead of asking models and running tools. */
export interface RecordedAnswers {
  readonly recordedReplies?: RecordedReplies | undefined;
  readonly recordedOutputs?: RecordedOutputs | undefined;
  readonly recordedMentions?: MentionDependencies["recordedMentions"];
}

/**
 * Everything that a host provides to turns. No step takes the whole: each declares the dependencies that it
 * uses.
 */
export type TurnDependencies = TurnModels &
  TurnToolSources &
  TurnGuards &
  TurnRecords &
  TurnClock &
  RecordedAnswers;
