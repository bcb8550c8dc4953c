export type {
  AdapterChannel,
  Channel,
  ChannelContext,
  ChannelRegistration,
  IncomingMessage,
  OutgoingResponse,
  StatusUpdate,
} from "./channel/channel.js";
export type { InteractiveHandler } from "./channel/interactive-handler.js";
export type { AttachmentMeta, Origin, ReplyPayload } from "./message/attachment.js";
export {
  type ChannelPluginDefinition,
  type DefinedChannelPlugin,
  defineChannelPluginEntry,
} from "./plugin/channel-plugin.js";
