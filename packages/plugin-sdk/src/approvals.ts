export { PluginApprovalResolutions } from "./approval-resolutions.js";
export type {
  ApprovalRecord,
  ApprovalRequest,
  ApprovalResolvedHandler,
  PluginApprovals,
  ResolvedApproval,
} from "./plugin-approvals.js";
export type { ApprovalNeed } from "./tool-definition.js";
export type {
  ApprovalDecision,
  PluginApprovalResolution,
  RequireApproval,
} from "./tool-hooks.js";
export type {
  TrustedToolAnswer,
  TrustedToolPolicy,
  TrustedToolVerdict,
} from "./trusted-tool-policy.js";
