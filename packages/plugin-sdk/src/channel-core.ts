export type { AttachmentMeta, Origin, ReplyPayload } from "./attachment.js";
export type {
  AdapterChannel,
  Channel,
  ChannelContext,
  ChannelRegistration,
  IncomingMessage,
  OutgoingResponse,
  StatusUpdate,
} from "./channel.js";
export {
  type ChannelPluginDefinition,
  type DefinedChannelPlugin,
  defineChannelPluginEntry,
} from "./channel-plugin-definition.js";
export type { InteractiveHandler } from "./interactive-handler.js";
