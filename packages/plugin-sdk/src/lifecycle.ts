export {
  LIFECYCLE_ALIASES,
  LIFECYCLE_PHASES,
  type LifecycleAlias,
  type LifecyclePhase,
  type PhaseHook,
} from "./lifecycle-phases.js";
export type { PluginLifecycle } from "./plugin-api.js";
