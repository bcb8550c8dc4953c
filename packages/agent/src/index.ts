export { type BudgetState, budgetStates, budgetText } from "./budget/budget-state.js";
export { BudgetWarnings } from "./budget/budget-warnings.js";
export { requestSize, stringsSize, textTokens } from "./budget/call-size.js";
export {
  configuredModels,
  type ModelCostConfiguration,
  modelCostProblems,
  modelCostSchemas,
} from "./budget/configuration.js";
export {
  budgetCalendar,
  calendarOf,
  type TurnBudgets,
} from "./budget/limits.js";
export { makeSingleCall } from "./budget/single-call.js";
export { addedCost, type SpendingDependencies } from "./budget/spending.js";
export type {
  ClientCall,
  ClientRequest,
  ClientTool,
  ClientToolResult,
} from "./context/client.js";
export type {
  FinalOutcome,
  TurnEvent,
  TurnOutcome,
} from "./context/event.js";
export type { PluginPin } from "./context/plugin-pin.js";
export type { PolicyShadow } from "./context/policy-shadow.js";
export type { JobBounds, SubagentBounds, TurnOrigin, TurnRequest } from "./context/request.js";
export type { TurnWrite } from "./context/turn-write.js";
export { type ContextLimits, DEFAULT_CONTEXT_LIMITS } from "./conversation/compaction-plan.js";
export { contextWindowOf } from "./conversation/context-window.js";
export { conversationSize } from "./conversation/stored-size.js";
export { type Counters, createCounters } from "./counters.js";
export { AgentHarnessNotFoundError, ClientToolDeniedError, TurnSuspendedError } from "./errors.js";
export type { OfferedHarness } from "./harness/harness.js";
export { HarnessRun } from "./harness/run.js";
export {
  type AgentRuntimeChoice,
  type AgentRuntimeSetting,
  agentRuntimeSchema,
  namedHarnessOf,
} from "./harness/runtime.js";
export { type ClientTurn, loadClientTurn } from "./journal/client-turn.js";
export { logRejection } from "./observation.js";
export { BrokenTools } from "./offer/broken-tools.js";
export { flippedCalls, stepDifferences } from "./replay/differences.js";
export { readRecording, recordTurn, type TurnRecording } from "./replay/fixture.js";
export {
  type ReplayHost,
  type ReplayReport,
  replayTurn,
  replayWholeTurn,
  type WholeReplay,
} from "./replay/replay.js";
export { ReplayClock } from "./replay/responses.js";
export { splitReply } from "./reply/parts.js";
export {
  createSkillCatalog,
  type SkillCatalog,
  type SkillProblem,
} from "./skills/catalog.js";
export { type SkillsConfiguration, skillsSchema } from "./skills/configuration.js";
export type { SkillOrigin } from "./skills/origin.js";
export { type SubagentEnd, subagentReport } from "./subagents/report.js";
export {
  DEFAULT_SUBAGENT_LIMITS,
  type SubagentLimits,
  type SubagentSpawn,
  type SubagentSpawned,
  type Subagents,
} from "./subagents/subagents.js";
export {
  SharedToolRateLimits,
  type ToolCallLimits,
  ToolRateLimits,
} from "./tool-call/rate-limits.js";
export { guardResult } from "./tool-call/result-safety.js";
export type { OfferedToolKind } from "./tool-call/tool-entry.js";
export { stepTrace } from "./trace.js";
export {
  type AgentDefaults,
  agentDefaultsSchema,
  budgetSchema,
  PARALLEL_CALLS,
  type ToolExecutionConfiguration,
  toolExecutionSchemas,
} from "./turn/agent-configuration.js";
export { compactConversation, type RequestedCompaction } from "./turn/compaction/requested.js";
export type { TurnDependencies } from "./turn/dependencies.js";
export { describeError } from "./turn/end.js";
export { HOST_INJECTIONS } from "./turn/injections.js";
export type { ModelStream, ModelStreamIdentity, ModelStreams } from "./turn/model-stream.js";
export { answerAside, type SideAnswerKind } from "./turn/side-answer.js";
export { invokeTool, offeredTools, runTool } from "./turn/tool-run.js";
export { runTurn } from "./turn/turn.js";
