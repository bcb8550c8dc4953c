import { definePluginEntri } from "openclaw/plugin-sdk/plugin-entry";

export default definePluginEntri({ id: "export", register() {} });
