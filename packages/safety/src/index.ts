export type { ContextActions, SafetyAction, SafetyContext } from "./action.js";
export type { AddedRule } from "./added-rule.js";
export { type AddressClass, classifyAddress, isForbiddenAddress } from "./address.js";
export { DEFAULT_BINARIES, usesOnlyBinaries } from "./binary-allowlist.js";
export { type CommandJudgement, classifyCommand, pipesToShell } from "./classify-command.js";
export type { CommandClass } from "./command-class.js";
export {
  type CredentialDetection,
  detectCredentials,
  type HeaderList,
} from "./credential-detection.js";
export { type SafetyRuleProblem, SafetyRulesError } from "./errors.js";
export type { Finding } from "./finding.js";
export { decodeHtmlEntities } from "./html-entities.js";
export { type OutboundRequest, type RequestScan, scanHttpRequest } from "./http-request-scan.js";
export { checkHttpTarget, type HttpTarget, type HttpTargetOptions } from "./http-target.js";
export { type Sanitized, type SanitizeOptions, sanitizeText } from "./injection-scan.js";
export { type InputInspection, type InputOptions, inspectInput } from "./input-inspection.js";
export { createLeakGuard, type LeakGuard } from "./leak-guard.js";
export { type LeakOptions, type LeakScan, scanLeaks } from "./leak-scan.js";
export { redactLogFields } from "./log-fields.js";
export { type LogOptions, redactLogText } from "./log-redaction.js";
export { maskSecret } from "./mask.js";
export { inspectOutput, type OutputInspection, type OutputOptions } from "./output-inspection.js";
export {
  commandAmong,
  inspectParameters,
  type ParameterInspection,
} from "./parameter-inspection.js";
export type { ParameterRole } from "./parameter-role.js";
export { parseCommand } from "./parse-command.js";
export type {
  ParsedCommand,
  ShellFeature,
  SimpleCommand,
  WrapperCommand,
} from "./parsed-command.js";
export { type PolicyOptions, type PolicyScan, scanPolicy } from "./policy-scan.js";
export type { Range } from "./range.js";
export { type LeakRedaction, redactLeaks, redactRanges } from "./redact.js";
export { type ReferencePage, renderSafetyReference } from "./reference.js";
export type { SafetyRule } from "./rule.js";
export { createSafetyRules, type SafetyRuleConfig } from "./rule-config.js";
export type { RuleSet } from "./rule-set.js";
export { safetyConfigSchema } from "./safety-config-schema.js";
export { SAFETY_RULES } from "./safety-rules.js";
export { isSecretName } from "./secret-name.js";
export { type SensitivePath, type SensitivePathOptions, sensitivePath } from "./sensitive-path.js";
export type { Severity } from "./severity.js";
export {
  type Validation,
  type ValidationOptions,
  validateParameters,
  validateText,
} from "./validator.js";
export type { SafetyWarning } from "./warning.js";
export { type ToolOutputWrapping, wrapExternalContent, wrapToolOutput } from "./wrap.js";
