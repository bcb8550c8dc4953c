export { LinearPatternError, SafetyRulesError } from "./errors.js";
export {
  wrapExternalContent,
  wrapToolOutput,
} from "./injection/content-wrapping.js";
export { escapeRoleMarkers } from "./injection/role-markers.js";
export { type Sanitized, type SanitizeOptions, sanitizeText } from "./injection/scan.js";
export type { SafetyWarning } from "./injection/warning.js";
export { type InputInspection, type InputOptions, inspectInput } from "./inspection/input.js";
export { inspectOutput, type OutputInspection, type OutputOptions } from "./inspection/output.js";
export type { ParameterRole } from "./inspection/parameter-role.js";
export {
  commandAmong,
  inspectParameters,
  type ParameterInspection,
} from "./inspection/parameters.js";
export { type PolicyOptions, type PolicyScan, scanPolicy } from "./inspection/policy-scan.js";
export {
  type SensitivePath,
  type SensitivePathOptions,
  sensitivePath,
} from "./inspection/sensitive-path.js";
export type { SafetySettings } from "./inspection/settings.js";
export {
  type Validation,
  type ValidationOptions,
  validateParameters,
  validateText,
} from "./inspection/validator.js";
export { WITHHELD_OUTPUT } from "./inspection/withheld-output.js";
export {
  type CredentialDetection,
  detectCredentials,
  type HeaderList,
} from "./leaks/credential-detection.js";
export { DistinctNames } from "./leaks/distinct-names.js";
export { createLeakGuard, type LeakGuard } from "./leaks/guard.js";
export { type LeakRedaction, redactLeaks, redactRanges } from "./leaks/redaction.js";
export { type LeakOptions, type LeakScan, scanLeaks } from "./leaks/scan.js";
export { maskSecrets } from "./leaks/secret-masking.js";
export { isSecretName, isSecretVariable } from "./leaks/secret-name.js";
export { isSecretValue } from "./leaks/secret-value.js";
export { findSecrets, type SecretPlace } from "./leaks/secrets.js";
export { redactLogFields } from "./log/fields.js";
export { type LogOptions, redactLogText } from "./log/redaction.js";
export {
  NetworkClient,
  type NetworkClientOptions,
  type NetworkFetchOptions,
} from "./network/client.js";
export {
  AllowedHostError,
  type NetworkDenialReason,
  NetworkDeniedError,
} from "./network/errors.js";
export {
  type OutboundRequest,
  type RequestScan,
  scanHttpRequest,
} from "./network/http-request-scan.js";
export { type AddressClass, classifyAddress, isForbiddenAddress } from "./network/ip-address.js";
export type { ResolvedAddress, ResolveHost } from "./network/pinned-agent.js";
export {
  type ConnectionTarget,
  NetworkPolicy,
  type NetworkPolicyOptions,
} from "./network/policy.js";
export { currentProxyRules, ProxyRules, useProxyOf } from "./network/proxy/process.js";
export type { NetworkHop } from "./network/redirect.js";
export type { ContextActions, SafetyAction, SafetyContext } from "./rules/action.js";
export { renderSafetyReference } from "./rules/built-in/reference.js";
export { SAFETY_RULES } from "./rules/built-in/rules.js";
export type { CommandClass } from "./rules/command-class.js";
export { type AddedRule, addedRuleProblems } from "./rules/configuration/added-rule.js";
export { createSafetyRules, type SafetyRuleConfig } from "./rules/configuration/configuration.js";
export { safetyConfigSchema } from "./rules/configuration/schema.js";
export type { Finding } from "./rules/finding.js";
export type { SafetyRule } from "./rules/rule.js";
export type { RuleSet } from "./rules/set.js";
export type { Severity } from "./rules/severity.js";
export { DEFAULT_BINARIES, usesOnlyBinaries } from "./shell/binary-allowlist.js";
export { type CommandClassification, classifyCommand, pipesToShell } from "./shell/classifier.js";
export type { ExpandedCommand, ExpansionScene } from "./shell/expansion/expanded-command.js";
export { expandCommand } from "./shell/expansion/expansion.js";
export type {
  ParsedCommand,
  ShellFeature,
  SimpleCommand,
  WrapperCommand,
} from "./shell/grammar/parsed-command.js";
export {
  type KeptFile,
  type LateWord,
  type ListedNames,
  type LiteralCommand,
  type LiteralFile,
  type LiteralPipeline,
  type LiteralProgram,
  type LiteralRedirection,
  type LiteralRepository,
  redirectedFiles,
} from "./shell/literal/literal-command.js";
export { parseCommand } from "./shell/parsing/parser.js";
export type { WrittenPath } from "./shell/writes/written-path.js";
export { writtenPaths } from "./shell/writes/written-paths.js";
export { decodeHtmlEntities } from "./text/html-entities.js";
export { LinearPattern } from "./text/linear-pattern.js";
export { maskSecret } from "./text/mask.js";
export { noteOfUnseen, type SeenText, withoutUnseen } from "./text/unseen.js";
