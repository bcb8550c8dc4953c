export { type ApprovalSummary, parseCommand, parseCommandIn } from "@openclaw/gateway";
export type { ModelScript, ScriptStep } from "@openclaw/models";
export {
  type AudioServer,
  type AudioServerOptions,
  type SpeechServerRequest,
  startAudioServer,
  type TranscriptionRequest,
} from "./audio-server.js";
export {
  createFakeChannel,
  FakeChannel,
  type FakeChannelOptions,
  type FakeDelivery,
  type SendBehaviour,
  type SpokenMessage,
} from "./channel/fake-channel.js";
export type {
  DiscordButton,
  DiscordChannel,
  DiscordFile,
  DiscordMessage,
  DiscordUser,
} from "./channel-servers/discord/guild.js";
export type { DiscordDenial } from "./channel-servers/discord/rest.js";
export {
  DiscordServer,
  type DiscordServerOptions,
  type DiscordSpeech,
  startDiscordServer,
} from "./channel-servers/discord/server.js";
export type { PlatformFault } from "./channel-servers/platform-server.js";
export type { BorrowedRate, RateLimit, RateLimits } from "./channel-servers/rate-limits.js";
export type { SlackManifest } from "./channel-servers/slack/app.js";
export type { AppRequest, SlackDelivery } from "./channel-servers/slack/app-requests.js";
export {
  SlackServer,
  type SlackServerOptions,
  type SlackSpeech,
  startSlackServer,
} from "./channel-servers/slack/server.js";
export type {
  SlackChannelProblem,
  SlackThreadStatus,
  SlackTokenProblem,
} from "./channel-servers/slack/web-api.js";
export type { SlackFile, SlackMessage, SlackUser } from "./channel-servers/slack/workspace.js";
export type { TeamsSent } from "./channel-servers/teams/connector.js";
export type { ConnectorClaims, TeamsBot } from "./channel-servers/teams/identity.js";
export type { TeamsButton, TeamsImage } from "./channel-servers/teams/rules.js";
export {
  startTeamsServer,
  TEAMS_ALICE,
  type TeamsDelivery,
  type TeamsPerson,
  type TeamsPlace,
  type TeamsSaid,
  TeamsServer,
  type TeamsServerOptions,
} from "./channel-servers/teams/server.js";
export type {
  TelegramChat,
  TelegramPerson,
  TelegramSent,
  TelegramSentFile,
} from "./channel-servers/telegram/message.js";
export type { TelegramButton } from "./channel-servers/telegram/rules.js";
export { startTelegramServer, TelegramServer } from "./channel-servers/telegram/server.js";
export type { WhatsAppButton } from "./channel-servers/whatsapp/rules.js";
export {
  startWhatsAppServer,
  type WhatsAppFile,
  type WhatsAppSent,
  WhatsAppServer,
} from "./channel-servers/whatsapp/server.js";
export type {
  WhatsAppDelivery,
  WhatsAppServerOptions,
} from "./channel-servers/whatsapp/webhook.js";
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
export { type ConformanceOptions, checkConformance } from "./conformance.js";
export { type EmbeddingServerOptions, startEmbeddingServer } from "./embedding-server.js";
export {
  ConformanceUnavailableError,
  ManifestMissingError,
  PackingError,
  PluginLeftoversError,
  PluginMissingError,
  PluginNotLoadedError,
  QuestionUnclearError,
  TestCommandNotFoundError,
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
  TestRegistrations,
  TestRequest,
  TestToolResult,
} from "./host/test-host.js";
export type { TestedPlugin } from "./host/tested-plugin.js";
export { buildManifest, type ManifestBuild, writeManifest } from "./manifest-build.js";
export {
  type LoginPage,
  OAuthServer,
  type OAuthServerOptions,
  startOAuthServer,
  type TokenRequest,
} from "./oauth-server.js";
export { sampleContext } from "./samples/context.js";
export { sampleEvent } from "./samples/event.js";
export { type MovedTestTable, moveTestData } from "./test-data-move.js";
export {
  startTestServer,
  type TestServer,
  type TestServerAnswer,
  type TestServerRequest,
} from "./test-server.js";
export { openTestStore, type TestStore, type TestStoreOptions } from "./test-store.js";
