export type {
  AdapterChannel,
  Channel,
  ChannelCapabilities,
  ChannelContext,
  ChannelPairingAccess,
  ChannelRegistration,
  PairingRequestResult,
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
export type { ChannelEvent } from "./channel/event.js";
export type { InteractiveHandler } from "./channel/interactive-handler.js";
export type {
  ChannelButton,
  ChannelRoom,
  IncomingMessage,
  MessageOutcome,
  MessageReference,
  OutgoingResponse,
  SentMessage,
} from "./channel/message.js";
export { MessageQueue, type QueueReception } from "./channel/message-queue.js";
export type {
  OlderAgentRoute,
  OlderChannelRuntime,
  OlderDispatchResult,
  OlderInboundContext,
  OlderReply,
  OlderReplyDispatcher,
  OlderReplyOptions,
} from "./channel/older-runtime.js";
export { type SendPart, SentParts } from "./channel/sent-parts.js";
export type { StatusUpdate } from "./channel/status.js";
export type { AttachmentMeta, Origin, ReplyPayload } from "./message/attachment.js";
export {
  type ChannelPluginDefinition,
  type DefinedChannelPlugin,
  defineChannelPluginEntry,
} from "./plugin/channel-plugin.js";
