export type { TurnBudgets } from "./context/budget.js";
export type {
  FinalOutcome,
  PolicyRefusal,
  TurnEvent,
  TurnOutcome,
} from "./context/event.js";
export type { PluginPin, TurnOrigin, TurnRequest, TurnServices } from "./context/scope.js";
export { type ContextLimits, DEFAULT_CONTEXT_LIMITS } from "./conversation/compaction-plan.js";
export { createCounters } from "./counters.js";
export { TurnSuspendedError } from "./errors.js";
export { unawaited } from "./observation.js";

export { readRecording, recordTurn, type TurnRecording } from "./replay/fixture.js";
export { type ReplayReport, replayTurn } from "./replay/replay.js";
export { ReplayClock } from "./replay/replayed-responses.js";

export {
  createSkillCatalog,
  type SkillCatalog,
} from "./skills/catalog.js";
export { type SkillsConfiguration, skillsSchema } from "./skills/configuration.js";
export type { SkillOrigin } from "./skills/origin.js";
export { type SubagentEnd, subagentReport } from "./subagents/report.js";
export {
  DEFAULT_SUBAGENT_LIMITS,
  type SubagentBounds,
  type SubagentLimits,
  type SubagentSpawn,
  type SubagentSpawned,
  type Subagents,
} from "./subagents/subagents.js";

export { ToolRateLimits } from "./tool-call/rate-limits.js";

export type { OfferedToolKind } from "./tool-call/tool-set.js";
export { stepTrace } from "./trace.js";
export {
  type AgentDefaults,
  agentDefaultsSchema,
  budgetSchema,
  type ToolExecutionConfiguration,
  toolExecutionSchemas,
} from "./turn/agent-configuration.js";
export { HOST_INJECTIONS } from "./turn/injections.js";
export { runTool } from "./turn/tool-run.js";
export { runTurn } from "./turn/turn.js";
