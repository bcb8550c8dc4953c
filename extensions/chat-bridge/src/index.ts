import { createChatBridge } from "./bridge.js";

export { type ChatBridgeOptions, createChatBridge } from "./bridge.js";

export default createChatBridge();
