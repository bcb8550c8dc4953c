export type { ApprovalAnswer, ApprovalQuestion, Approver, TurnEvent } from "@openclaw/agent";
export type { ModelChoice } from "@openclaw/models";
export type { DiscoveredPlugin, PluginDiagnostic, PluginOverview } from "@openclaw/plugin-runtime";
export { readHolder as readLockHolder } from "@openclaw/store";
export { type LoadedConfiguration, loadConfiguration } from "./configuration.js";
export {
  configurationSchema,
  type GatewaySection,
  type LoggingSection,
  type OpenClawConfiguration,
} from "./configuration-schema.js";
export {
  ConfigurationError,
  type ConfigurationProblem,
  formatProblem,
  MessageRefusedError,
  PortTakenError,
  StateFolderError,
} from "./errors.js";
export { type Gateway, type GatewayOptions, type StopReason, startGateway } from "./gateway.js";
export { loadGatewayToken } from "./gateway-token.js";
export {
  type ConfigurationReport,
  inspectConfiguration,
  inspectPlugins,
  type PluginPlaces,
} from "./host-overview.js";
export type { Caller, InboundMessage, ReplyOutcome, ReplyUsage } from "./inbound-message.js";
export type { ModelNotice } from "./model-notice.js";
export { directSessionKey, mainSessionKey } from "./session-key.js";
export { openStateFolder, type StateFolder, stateFolderAt } from "./state-folder.js";
