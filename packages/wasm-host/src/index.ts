export type {
  AuthCapability,
  ClientSetting,
  OAuthCapability,
  ValidationEndpoint,
} from "./capabilities/auth.js";
export type { Capabilities, ChannelCapability } from "./capabilities/capabilities.js";
export { type ReadCapabilities, readCapabilities } from "./capabilities/file.js";
export { isComponentName } from "./capabilities/names.js";
export { capabilityLines, widenedLines } from "./capabilities/summary.js";
export {
  type CachedComponent,
  ComponentCache,
  contentHash,
  type ToolSelfDescription,
} from "./component/cache.js";
export { type PreparationContext, prepareComponent } from "./component/preparation.js";
export type { ComponentWorld } from "./component/world.js";
export {
  WasmCapabilitiesError,
  WasmComponentError,
  WasmFeatureError,
  WasmFormatError,
  type WasmLimit,
  WasmLimitError,
  WasmSettingError,
  WasmTrapError,
} from "./errors.js";
export {
  type ChannelHost,
  type ChannelHostPorts,
  type ChannelPairingPort,
  channelHost,
  type EmittedAttachment,
  type EmittedMessage,
} from "./host/channel-host.js";
export { type BoundaryHost, HttpBoundary } from "./host/http-boundary.js";
export { HttpFailure } from "./host/http-failure.js";
export { type ToolHostPorts, toolHost } from "./host/tool-host.js";
export { type ComponentLimits, DEFAULT_LIMITS, limitsOf } from "./limits.js";
export { type CallResult, type HostFunctions, type PoolCall, WorkerPool } from "./worker/pool.js";
export { workerLimits } from "./worker/worker-limits.js";
