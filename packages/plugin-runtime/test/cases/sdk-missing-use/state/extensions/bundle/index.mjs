import { createRequire } from "node:module";

const __require = createRequire(import.meta.url);
const importSdk = __require("openclaw/plugin-sdk/plugin-entry");

export function register(api) {
  api.on("before_install", () => importSdk.inspectInstall());
}
