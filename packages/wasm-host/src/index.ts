export {
  type CachedComponent,
  ComponentCache,
  contentHash,
  type ToolSelfDescription,
} from "./component/cache.js";
export { type PreparationContext, prepareComponent } from "./component/preparation.js";
export type { ComponentWorld } from "./component/world.js";
export {
  WasmComponentError,
  WasmFeatureError,
  WasmFormatError,
  type WasmLimit,
  WasmLimitError,
  WasmSettingError,
  WasmTrapError,
} from "./errors.js";
export { type ComponentLimits, DEFAULT_LIMITS, limitsOf } from "./limits.js";
export { type CallResult, type HostFunctions, type PoolCall, WorkerPool } from "./worker/pool.js";
