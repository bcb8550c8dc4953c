export {
  type AccessControlList,
  type AclDecision,
  type AclEntry,
  type AclMode,
  evaluateAcl,
} from "./acl.js";
export {
  type AgentFolderConfig,
  type ConfigLayers,
  type ConfigLayersOptions,
  layersFromConfig,
} from "./config-layers.js";
export type { Locate } from "./config-node.js";
export { toolPolicyConfigSchema } from "./config-schema.js";
export type { PolicyContext } from "./context.js";
export type { DecidedBy, PolicyDecision, Verdict } from "./decision.js";
export { denialText } from "./denial-text.js";
export { PolicyCasesError, PolicyConfigError, PolicySnapshotError } from "./errors.js";
export type { LayerExplanation, PolicyExplanation } from "./explanation.js";
export type { PolicyEdit, PolicyFlip } from "./flip.js";
export { formatDecider, formatExplanation } from "./format-explanation.js";
export { matchesGlob } from "./glob.js";
export {
  evaluateGroupPolicy,
  type GroupPermission,
  type GroupPolicy,
  type GroupPolicyQuestion,
} from "./group-policy.js";
export {
  LAYER_NAMES,
  type LayerName,
  type LayerScope,
  type PolicyEntry,
  type PolicyLayer,
} from "./layer.js";
export { type CompileOptions, compilePolicy, type Policy, policyFromSnapshot } from "./policy.js";
export {
  type CaseDecider,
  type PolicyCase,
  type PolicyCaseResult,
  runPolicyCases,
} from "./policy-case.js";
export { parsePolicyCases } from "./policy-case-file.js";
export {
  formatProblem,
  type PolicyProblem,
  type PolicyProblemCode,
  type PolicyWarning,
  type PolicyWarningCode,
} from "./problem.js";
export type { PolicySnapshot, PolicySnapshotText } from "./snapshot.js";
export type { KeyPath, PolicyLocation, PolicySource } from "./source.js";
export type { PolicyTool, ToolOrigin } from "./tool.js";
export type { PolicyGroup } from "./tool-group.js";
export { canonicalToolName } from "./tool-name.js";
