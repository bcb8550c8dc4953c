import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";

export default definePluginEntry({
  id: "pair",
  register(api): void {
    api.on("message_received", () => {});
  },
});
