export {
  type AgentDefaults,
  agentDefaultsSchema,
  budgetSchema,
  type ToolExecutionConfiguration,
  toolExecutionSchemas,
} from "./agent-configuration.js";
export type { ApprovalActor } from "./approval-actor.js";
export {
  ApprovalBroker,
  type ApprovalBrokerOptions,
  type ApprovalListener,
} from "./approval-broker.js";
export {
  ApprovalAlreadyDecidedError,
  ApprovalMismatchError,
  ApprovalNotFoundError,
  DecisionNotAllowedError,
  NotAuthorizedToApproveError,
} from "./approval-errors.js";
export type { ApprovalQuestion, PluginQuestion } from "./approval-question.js";
export { resolutionOf, type TellPlugin } from "./approval-resolutions.js";
export {
  type ApprovalSettings,
  type ApprovalsConfiguration,
  approvalsSchema,
} from "./approval-settings.js";
export type { ApprovalAnswer } from "./approval-settlement.js";
export type { ApprovalVerdict } from "./approval-verdict.js";
export { type Approver, putToApprover } from "./approver.js";
export { BackgroundProcesses } from "./background-processes.js";
export { childEnvironment } from "./child-environment.js";
export { type ContextLimits, DEFAULT_CONTEXT_LIMITS } from "./compaction-plan.js";
export { CORE_TOOL_NAMES, type CoreToolOptions, createCoreTools } from "./core-tools.js";
export { type Counters, createCounters } from "./counters.js";
export { unawaited } from "./observation.js";
export { type ReplayHost, type ReplayReport, replayTurn } from "./replay.js";
export { RunNotReplayableError } from "./replay-errors.js";
export type { Divergence } from "./replay-steps.js";
export { ReplayClock } from "./replayed-answers.js";
export type { SafetyRemark } from "./result-safety.js";
export {
  createSkillCatalog,
  type Skill,
  type SkillCatalog,
  type SkillCatalogOptions,
  type SkillProblem,
} from "./skill-catalog.js";
export { type SkillsConfiguration, skillsSchema } from "./skill-configuration.js";
export type { SkillOrigin } from "./skill-origin.js";
export { type SubagentEnd, subagentReport } from "./subagent-report.js";
export {
  DEFAULT_SUBAGENT_LIMITS,
  type SubagentBounds,
  type SubagentLimits,
  type SubagentSpawn,
  type SubagentSpawned,
  type Subagents,
} from "./subagents.js";
export { systemTimers, type Timers } from "./timers.js";
export { CoreToolOptionsError } from "./tool-errors.js";
export type { RequestedCall } from "./tool-judgement.js";
export { ToolRateLimits } from "./tool-rate-limits.js";
export { runTool, type ToolRunRequest } from "./tool-run.js";
export type { SendToSession, SessionMessage } from "./tool-sessions-send.js";
export type { OfferedTool, OfferedToolKind, ToolSetProblem } from "./tool-set.js";
export { stepTrace } from "./trace.js";
export { runTurn } from "./turn.js";
export type { TokenBudget, TurnBudgets } from "./turn-budget.js";
export { TurnSuspendedError } from "./turn-errors.js";
export type {
  FinalOutcome,
  PolicyRefusal,
  TurnError,
  TurnEvent,
  TurnOutcome,
  TurnStopReason,
} from "./turn-event.js";
export { HOST_INJECTIONS } from "./turn-injections.js";
export { readRecording, recordTurn, type TurnRecording } from "./turn-recording.js";
export type { PluginPin, TurnOrigin, TurnRequest, TurnServices } from "./turn-scope.js";
