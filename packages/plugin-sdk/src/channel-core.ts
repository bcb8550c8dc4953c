export type {
  AdapterChannel,
  Channel,
  ChannelCapabilities,
  ChannelContext,
  ChannelRegistration,
  ReceivedFile,
} from "./channel/channel.js";
export {
  ChannelAuthFailedError,
  ChannelDisconnectedError,
  ChannelError,
  type ChannelErrorOptions,
  ChannelHealthCheckFailedError,
  ChannelHttpError,
  ChannelInvalidMessageError,
  ChannelRateLimitedError,
  ChannelSendFailedError,
  ChannelStartupFailedError,
} from "./channel/errors.js";
export type { InteractiveHandler } from "./channel/interactive-handler.js";
export type {
  ChannelButton,
  ChannelRoom,
  IncomingMessage,
  MessageReference,
  OutgoingResponse,
  SentMessage,
} from "./channel/message.js";
export type { StatusUpdate } from "./channel/status.js";
export type { AttachmentMeta, Origin, ReplyPayload } from "./message/attachment.js";
export {
  type ChannelPluginDefinition,
  type DefinedChannelPlugin,
  defineChannelPluginEntry,
} from "./plugin/channel-plugin.js";
