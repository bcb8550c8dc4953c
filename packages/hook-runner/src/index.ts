export type { Clock, TimerHandle } from "./clock.js";
export type { CallCounts, HookCounts, RegistrationCounts, RunnerCounts } from "./counters.js";
export type {
  ClaimDefinition,
  DecideDefinition,
  FailureDefault,
  HookDefinition,
  HookDefinitions,
  HookKind,
  HookMap,
  HookName,
  HookNameOf,
  HookShape,
  Isolation,
  MergeFunction,
  MergeInfo,
  MergeRules,
  MergeStrategy,
  ObserveDefinition,
  ResultField,
  ResultOf,
  ResultValue,
  RewriteDefinition,
  RewriteTarget,
  SyncDefinition,
  Terminal,
} from "./definition.js";
export type { DiagnosticCode, DiagnosticSink, HookDiagnostic } from "./diagnostic.js";
export type {
  Contribution,
  DispatchDetails,
  DispatchOptions,
  HookDispatch,
  ObserveOptions,
  PinnedDispatch,
} from "./dispatch.js";
export type { DrainOptions, DrainReport, Straggler } from "./drain.js";
export {
  HookDefinitionError,
  type HookFailureCode,
  HookOptionError,
  type HookUsageCode,
  HookUsageError,
  PluginHookExecutionError,
  type PluginHookExecutionErrorOptions,
  UnknownHookError,
} from "./errors.js";
export type { ExplainedHandler, HookExplanation } from "./explain.js";
export type { HookFailure } from "./failure.js";
export type { GateAnswer, RegistrationGate } from "./generation.js";
export type {
  HandlerContext,
  HandlerResult,
  HookContext,
  HookEvent,
  HookHandler,
  HookLogger,
} from "./handler.js";
export type { DeadlineLevel } from "./handler-entry.js";
export {
  createHookRunner,
  type HookRunner,
  type HookRunnerOptions,
  type TransactionOptions,
} from "./hook-runner.js";
export type { InterceptedCall, Interceptor } from "./interceptor.js";
export type { JsonPatchOperation } from "./json-patch.js";
export type { LatencyBucket, LatencyHistogram } from "./latency.js";
export { createManualClock, type ManualClock } from "./manual-clock.js";
export type { FailureMode, HookOptions, RetryOptions, ScopeOptions } from "./options.js";
export type { OwnerSettings } from "./owner.js";
export type {
  HookRegistration,
  HookRegistrationInfo,
  HookStage,
  RegistrationIdentity,
} from "./registration.js";
export type {
  DispatchOutcome,
  DispatchTrace,
  HandlerOutcome,
  HandlerTrace,
  TraceListener,
  TraceOptions,
} from "./trace.js";
export type { Undo } from "./undo.js";
