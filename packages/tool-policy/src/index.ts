export { candidateConfig } from "./configuration/candidate.js";
export { ChannelAccess } from "./configuration/channel-access.js";
export {
  type AgentFolderConfig,
  type ConfigLayers,
  type ConfigLayersOptions,
  layersFromConfig,
} from "./configuration/layers.js";
export type { Locate } from "./configuration/node.js";
export { type ToolPolicyConfig, toolPolicyConfigSchema } from "./configuration/schema.js";
export {
  type AccessControlList,
  type AclDecision,
  type AclEntry,
  type AclMode,
  evaluateAcl,
} from "./decision/acl.js";
export type { PolicyContext } from "./decision/context.js";
export type { DecidedBy, PolicyDecision, Verdict } from "./decision/decision.js";
export { PolicyCasesError, PolicyConfigError, PolicySnapshotError } from "./errors.js";
export { denialText } from "./explanation/denial-text.js";
export type { LayerExplanation, PolicyExplanation } from "./explanation/explanation.js";
export type { PolicyEdit, PolicyFlip } from "./explanation/flip.js";
export { formatDecider, formatExplanation } from "./explanation/format.js";
export {
  LAYER_NAMES,
  type LayerName,
  type LayerScope,
  type PolicyEntry,
  type PolicyLayer,
} from "./layers/layer.js";
export {
  formatProblem,
  type PolicyProblem,
  type PolicyProblemCode,
  type PolicyWarning,
  type PolicyWarningCode,
} from "./layers/problem.js";
export type { KeyPath, PolicyLocation, PolicySource } from "./layers/source.js";
export { matchesGlob } from "./matching/glob.js";
export type { PolicyTool, ToolOrigin } from "./matching/tool.js";
export type { PolicyGroup } from "./matching/tool-group.js";
export { canonicalToolName } from "./matching/tool-name.js";
export {
  type CompileOptions,
  compilePolicy,
  type Policy,
  policyFromSnapshot,
} from "./policy/policy.js";
export type { PolicySnapshot, PolicySnapshotText } from "./policy/snapshot.js";
export {
  type CaseDecider,
  type PolicyCase,
  type PolicyCaseResult,
  runPolicyCases,
} from "./testing/case.js";
export { parsePolicyCases } from "./testing/case-file.js";
