import type { HostRuntime } from "@openclaw/plugin-sdk";
import { defineChannelPluginEntry } from "@openclaw/plugin-sdk/channel-core";
import type { HttpAccountOptions } from "./account.js";
import { HttpChannel } from "./channel.js";
import { usesGateway } from "./settings.js";

const REPLY_MS = 60_000;
const PATHS = ["/webhook", "/webhook/http", "/channels/http/webhook"] as const;

/**
 * Creates the plugin: the channel, and its routes.
 * @param options - times and clock, for tests
 */
export function createHttpChannelPlugin(
  options: Partial<Pick<HttpAccountOptions, "replyMs" | "now">> = {},
) {
  let runtime: Pick<HostRuntime, "fetch"> | undefined;
  const channel = new HttpChannel({
    replyMs: options.replyMs ?? REPLY_MS,
    now: options.now ?? Date.now,
    fetch: (url, init) => (runtime?.fetch ?? fetch)(url, init),
  });
  return defineChannelPluginEntry({
    id: "http-channel",
    name: "HTTP channel",
    description:
      "Messages over HTTP for an OpenClaw host: signed requests, replies in the response or by a signed callback.",
    plugin: channel,
    setRuntime(given) {
      runtime = given;
    },
    registerFull(api) {
      // The keys that decide whether the gateway serves the channel.
      api.registerReload({ hotPrefixes: ["channels.http"] });
      if (!usesGateway(api.config)) return;
      const handle = (request: Request) => channel.handle(request);
      for (const path of PATHS) {
        api.registerHttpRoute({ path, auth: "plugin", methods: ["POST"], fetch: handle });
      }
      api.registerHttpRoute({ path: "/health", auth: "plugin", methods: ["GET"], fetch: handle });
    },
  });
}
