export {
  LIFECYCLE_ALIASES,
  LIFECYCLE_PHASES,
  type LifecycleAlias,
  type LifecyclePhase,
  type PhaseHook,
} from "./hooks/lifecycle-phases.js";
export type { PluginLifecycle } from "./plugin/lifecycle.js";
export type { ReloadRules } from "./plugin/reload-rules.js";
export type { RuntimeLifecycle } from "./plugin/runtime-lifecycle.js";
export type { CleanupReason, CleanupRequest } from "./sessions/extension.js";
