export {
  type AudioServer,
  type AudioServerOptions,
  type SpeechServerRequest,
  startAudioServer,
  type TranscriptionRequest,
} from "./audio-server.js";
export type {
  DiscordButton,
  DiscordChannel,
  DiscordFile,
  DiscordMessage,
  DiscordUser,
} from "./channels/discord/guild.js";
export type { DiscordDenial } from "./channels/discord/rest.js";
export {
  DiscordServer,
  type DiscordServerOptions,
  type DiscordSpeech,
  startDiscordServer,
} from "./channels/discord/server.js";
export type { PlatformFault } from "./channels/platform-server.js";
export type { BorrowedRate, RateLimit, RateLimits } from "./channels/rate-limits.js";
export type { SlackManifest } from "./channels/slack/app.js";
export type { AppRequest, SlackDelivery } from "./channels/slack/app-requests.js";
export {
  SlackServer,
  type SlackServerOptions,
  type SlackSpeech,
  startSlackServer,
} from "./channels/slack/server.js";
export type {
  SlackChannelProblem,
  SlackThreadStatus,
  SlackTokenProblem,
} from "./channels/slack/web-api.js";
export type { SlackFile, SlackMessage, SlackUser } from "./channels/slack/workspace.js";
export type { TeamsSent } from "./channels/teams/connector.js";
export type { ConnectorClaims, TeamsBot } from "./channels/teams/identity.js";
export type { TeamsButton, TeamsImage } from "./channels/teams/rules.js";
export {
  startTeamsServer,
  TEAMS_ALICE,
  type TeamsDelivery,
  type TeamsPerson,
  type TeamsPlace,
  type TeamsSaid,
  TeamsServer,
  type TeamsServerOptions,
} from "./channels/teams/server.js";
export type {
  TelegramChat,
  TelegramPerson,
  TelegramSent,
  TelegramSentFile,
} from "./channels/telegram/message.js";
export type { TelegramButton } from "./channels/telegram/rules.js";
export { startTelegramServer, TelegramServer } from "./channels/telegram/server.js";
export type { WhatsAppButton } from "./channels/whatsapp/rules.js";
export {
  startWhatsAppServer,
  type WhatsAppFile,
  type WhatsAppSent,
  WhatsAppServer,
} from "./channels/whatsapp/server.js";
export type {
  WhatsAppDelivery,
  WhatsAppServerOptions,
} from "./channels/whatsapp/webhook.js";
export { type EmbeddingServerOptions, startEmbeddingServer } from "./embedding-server.js";
export { type AnthropicServerOptions, startAnthropicServer } from "./models/anthropic.js";
export type { AwsCredentials } from "./models/aws-signature.js";
export { startBedrockServer } from "./models/bedrock.js";
export { type GeminiServerOptions, startGeminiServer } from "./models/gemini.js";
export { type NearAiServer, startNearAiServer } from "./models/nearai.js";
export { type ChatServerOptions, startChatServer } from "./models/openai-chat.js";
export {
  type ResponsesServerOptions,
  startResponsesServer,
} from "./models/openai-responses.js";
export type {
  ModelServer,
  ModelServerFailure,
  ModelServerReply,
  ModelServerReplySource,
  ModelServerRequest,
  ModelServerToolCall,
  ModelServerUsage,
} from "./models/reply.js";
export {
  type LoginPage,
  OAuthServer,
  type OAuthServerOptions,
  startOAuthServer,
  type TokenRequest,
} from "./oauth-server.js";
export {
  startTestServer,
  type TestServer,
  type TestServerAnswer,
  type TestServerRequest,
} from "./test-server.js";
