export type {
  ApprovalReach,
  ApprovalRecord,
  ApprovalRequest,
  ApprovalResolvedHandler,
  ApprovalSubmission,
  PluginApprovals,
  ResolvedApproval,
  SubmittedApproval,
} from "./approvals/approvals.js";
export { type FollowedFile, followedFile, followedNames } from "./approvals/followed-file.js";
export type { FollowedBy } from "./approvals/followed-group.js";
export { PluginApprovalResolutions } from "./approvals/resolutions.js";
export type {
  GrantReach,
  TrustedToolAnswer,
  TrustedToolPolicy,
  TrustedToolVerdict,
} from "./approvals/trusted-tool-policy.js";
export { type WrittenFiles, writtenFiles } from "./approvals/written-files.js";
export type {
  ApprovalDecision,
  PluginApprovalResolution,
  RequireApproval,
} from "./hooks/tool.js";
export type { ApprovalNeed } from "./tools/definition.js";
