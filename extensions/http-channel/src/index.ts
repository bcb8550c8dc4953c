import { createHttpChannelPlugin } from "./plugin.js";

export default createHttpChannelPlugin();
