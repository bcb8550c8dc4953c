export type { PlatformFault } from "./channel-servers/platform-server.js";
export type { SlackManifest } from "./channel-servers/slack/app.js";
export {
  type AppRequest,
  type SlackDelivery,
  SlackServer,
  type SlackServerOptions,
  type SlackSpeech,
  startSlackServer,
} from "./channel-servers/slack/server.js";
export type { SlackThreadStatus } from "./channel-servers/slack/web-api.js";
export type { SlackFile, SlackMessage, SlackUser } from "./channel-servers/slack/workspace.js";
