export {
  LIFECYCLE_ALIASES,
  LIFECYCLE_PHASES,
  type LifecycleAlias,
  type LifecyclePhase,
  type PhaseHook,
} from "./lifecycle-phases.js";
export type { PluginLifecycle } from "./plugin-lifecycle.js";
export type { ReloadRules } from "./reload-rules.js";
export type { RuntimeLifecycle } from "./runtime-lifecycle.js";
export type { CleanupReason, CleanupRequest } from "./session-extension.js";
