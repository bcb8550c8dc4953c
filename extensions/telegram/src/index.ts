import type { Channel, DefinedChannelPlugin } from "@openclaw/plugin-sdk/channel-core";
import { createTelegramPlugin } from "./plugin.js";

/** Its type names nothing of grammY, which the package bundles and does not install. */
const plugin: DefinedChannelPlugin<Channel, Record<string, unknown>> = createTelegramPlugin();

export default plugin;
