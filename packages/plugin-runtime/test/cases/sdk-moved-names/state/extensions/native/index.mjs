import { definePluginEntry } from "openclaw/plugin-sdk/native";
import { jsonResult } from "openclaw/plugin-sdk/plugin-entry";

export default definePluginEntry({
  id: "native",
  name: String(jsonResult === globalThis.hostSdk.sdk.jsonResult),
  register() {},
});
