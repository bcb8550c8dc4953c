import { createTelegramPlugin } from "./plugin.js";

export default createTelegramPlugin();
