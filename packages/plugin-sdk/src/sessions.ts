export type { NextTurnInjection, NextTurnInjectionReceipt } from "./next-turn-injection.js";
export type {
  PluginSession,
  PluginSessionState,
  PluginSessionWorkflow,
} from "./plugin-session.js";
export type { CleanupReason, CleanupRequest, SessionExtension } from "./session-extension.js";
export type { SessionEndReason } from "./session-hooks.js";
