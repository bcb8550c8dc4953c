export type { SessionEndReason } from "./hooks/session.js";
export type { CleanupReason, CleanupRequest, SessionExtension } from "./sessions/extension.js";
export type {
  NextTurnInjection,
  NextTurnInjectionReceipt,
} from "./sessions/next-turn-injection.js";
export type {
  PluginSession,
  PluginSessionState,
  PluginSessionWorkflow,
} from "./sessions/session.js";
