import { type OpenClawPluginApi, readStringParams } from "openclaw/plugin-sdk";

enum Kind {
  One,
}

export function register(api: OpenClawPluginApi) {
  api.on("agent_end", () => readStringParams({}, String(Kind.One)));
}
