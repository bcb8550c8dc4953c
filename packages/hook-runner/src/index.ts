export type { Clock, TimerHandle } from "@openclaw/foundation";
export { createManualClock, type ManualClock } from "@openclaw/foundation";
export type {
  ClaimDefinition,
  DecideDefinition,
  FailureDefault,
  HookDefinition,
  HookDefinitions,
  HookFailure,
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
} from "./define/definition.js";
export type {
  HandlerContext,
  HandlerResult,
  HookContext,
  HookEvent,
  HookHandler,
  HookLogger,
} from "./define/handler.js";
export type { DeadlineLevel } from "./define/handler-entry.js";
export type { InterceptedCall, Interceptor } from "./define/interceptor.js";
export type { HookOptions, RetryOptions, ScopeOptions } from "./define/options.js";
export type { OwnerSettings } from "./define/owner.js";
export type {
  HookRegistration,
  HookRegistrationInfo,
  HookStage,
  RegistrationIdentity,
} from "./define/registration.js";
export { NotedResult } from "./define/result.js";
export type {
  Contribution,
  DispatchDetails,
  DispatchOptions,
  HookDispatch,
  ObserveOptions,
  PinnedDispatch,
} from "./dispatch/dispatch.js";
export {
  type FailureMode,
  HookDefinitionError,
  type HookFailureCode,
  HookOptionError,
  type HookUsageCode,
  HookUsageError,
  PluginHookExecutionError,
  type PluginHookExecutionErrorOptions,
  UnknownHookError,
} from "./errors.js";
export type { DrainOptions, DrainReport, PendingCall } from "./generations/drain.js";
export type { ExplainedHandler, HookExplanation } from "./generations/explanation.js";
export type { GateAnswer, RegistrationGate } from "./generations/generation.js";
export { createHookRunner, type HookRunner } from "./generations/hook-runner.js";
export type { HookRunnerOptions, TransactionOptions } from "./generations/runner-options.js";
export type { Undo } from "./generations/undo.js";
export type {
  CallCounts,
  HookCounts,
  RegistrationCounts,
  RunnerCounts,
} from "./observe/counters.js";
export type { DiagnosticCode, DiagnosticSink, HookDiagnostic } from "./observe/diagnostic.js";
export type { JsonPatchOperation } from "./observe/json-patch.js";
export type { LatencyBucket, LatencyHistogram } from "./observe/latency.js";
export type {
  DispatchOutcome,
  DispatchTrace,
  HandlerOutcome,
  HandlerTrace,
  TraceListener,
  TraceOptions,
} from "./observe/trace.js";
