export { type ApprovalSummary, parseCommand } from "@openclaw/gateway";
export type { ModelScript, ScriptStep } from "@openclaw/models";
export { type ConformanceOptions, checkConformance } from "./conformance.js";
export { CONFORMANCE_CHECKS } from "./conformance-checks.js";
export type {
  ConformanceCheck,
  ConformanceCheckId,
  ConformanceFinding,
  ConformanceReport,
} from "./conformance-report.js";
export {
  ConformanceUnavailableError,
  ManifestMissingError,
  PackingError,
  PluginLeftoversError,
  PluginMissingError,
  PluginNotLoadedError,
  QuestionUnclearError,
} from "./errors.js";
export type { Leftover } from "./leftovers.js";
export { buildManifest, type ManifestBuild, writeManifest } from "./manifest-build.js";
export type { LogLine } from "./recorded-log.js";
export { sampleContext } from "./sample-context.js";
export { sampleEvent } from "./sample-event.js";
export { createTestClock, type TestClock } from "./test-clock.js";
export type { SentText, TestAnswer, TestMessage, TestReply } from "./test-conversation.js";
export {
  createTestHost,
  type HookTrace,
  type TestHost,
  type TestHostOptions,
  type TestRegistrations,
  type TestToolResult,
} from "./test-host.js";
export {
  startTestServer,
  type TestServer,
  type TestServerAnswer,
  type TestServerRequest,
} from "./test-server.js";
export type { TestedPlugin } from "./tested-plugin.js";
