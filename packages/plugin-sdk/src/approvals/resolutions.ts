import type { PluginApprovalResolution } from "../hooks/tool.js";

/** Possible outcomes of an approval request, by name; frozen (SDK-016). */
export const PluginApprovalResolutions = Object.freeze({
  ALLOW_ONCE: "allow-once",
  ALLOW_ALWAYS: "allow-always",
  DENY: "deny",
  TIMEOUT: "timeout",
  CANCELLED: "cancelled",
} as const satisfies Record<string, PluginApprovalResolution>);
