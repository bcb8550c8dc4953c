export { type ApprovalSummary, parseCommand, parseCommandIn } from "@openclaw/gateway";
export type { ModelScript, ScriptStep } from "@openclaw/models";
export {
  createFakeChannel,
  FakeChannel,
  type FakeChannelOptions,
  type FakeDelivery,
  type SendBehaviour,
  type SpokenMessage,
} from "./channel/fake-channel.js";
export { inspectCompatibility } from "./compatibility/plugin-compatibility.js";
export type {
  CompatibilityPart,
  CompatibilityReport,
  PartStatus,
} from "./compatibility/report.js";
export { CONFORMANCE_CHECKS } from "./conformance/checks.js";
export type {
  ConformanceCheck,
  ConformanceCheckId,
  ConformanceFinding,
  ConformanceReport,
} from "./conformance/report.js";
export { type ConformanceOptions, ConformanceProcess, checkConformance } from "./conformance.js";
export {
  ConformanceUnavailableError,
  ManifestMissingError,
  PackingError,
  PluginLeftoversError,
  PluginMissingError,
  PluginNotLoadedError,
  QuestionUnclearError,
  TestCommandNotFoundError,
  TestResourceNotFoundError,
} from "./errors.js";
export { createTestClock, type TestClock } from "./host/clock.js";
export type { SentText, TestAnswer, TestMessage, TestReply } from "./host/conversation.js";
export type { Leftover } from "./host/leftovers.js";
export type { LogLine } from "./host/recorded-log.js";
export { createTestHost } from "./host/running-test-host.js";
export type { SearchScript } from "./host/scripted-search.js";
export type {
  HookTrace,
  TestCommandSender,
  TestHost,
  TestHostOptions,
  TestPrompt,
  TestPromptInputs,
  TestRegistrations,
  TestRequest,
  TestToolResult,
} from "./host/test-host.js";
export type { TestedPlugin } from "./host/tested-plugin.js";
export { buildManifest, type ManifestBuild, writeManifest } from "./manifest-build.js";
export { sampleContext } from "./samples/context.js";
export { sampleEvent } from "./samples/event.js";
export { type MovedTestTable, moveTestData } from "./test-data-move.js";
export { openTestStore, type TestStore, type TestStoreOptions } from "./test-store.js";
