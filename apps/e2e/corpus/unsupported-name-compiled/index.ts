import { type OpenClawPluginApi, readStringParams } from "openclaw/plugin-sdk";

enum Kind {
  One,
}

export function register(api: OpenClawPluginApi) {
  api.on("gateway_start", () => readStringParams({}, String(Kind.One)));
}
