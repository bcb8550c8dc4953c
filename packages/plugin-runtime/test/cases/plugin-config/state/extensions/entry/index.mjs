import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";

export default definePluginEntry({
  id: "entry",
  register({ pluginConfig, logger }) {
    logger.info(JSON.stringify(pluginConfig));
  },
});
