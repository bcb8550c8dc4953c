import { createRequire } from "node:module";
import type { TeamsServer } from "@openclaw/platform-fakes";

interface TeamsApp {
  cloud: { readonly openIdMetadataUrl: string };
  initialize(this: TeamsApp): Promise<void>;
}

/**
 * Lets the library of Teams take the keys of the connector from a fake: the adapter has no option for their URL, which is a
 * field of the library's app. The check of the tokens is the library's own.
 * @param server - the fake
 * @returns function that restores the URL
 */
export function useKeysOf({ openIdMetadataUrl }: TeamsServer): () => void {
  const adapter = createRequire(import.meta.resolve("@chat-adapter/teams"));
  const { App } = adapter("@microsoft/teams.apps") as { readonly App: { prototype: TeamsApp } };
  const { initialize } = App.prototype;
  App.prototype.initialize = async function () {
    this.cloud = { ...this.cloud, openIdMetadataUrl };
    await initialize.call(this);
  };
  return () => {
    App.prototype.initialize = initialize;
  };
}

/**
 * Returns the source of tokens of a bot. It asks the fake as the library asks Microsoft; the library itself asks only by https.
 * @param server - the fake
 */
export function tokensOf({ bot, origin }: TeamsServer) {
  return async (scope: string | readonly string[]): Promise<string> => {
    const response = await fetch(`${origin}/${bot.tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: bot.appId,
        client_secret: bot.appPassword,
        scope: [scope].flat().join(" "),
      }),
    });
    const { access_token } = (await response.json()) as { readonly access_token: string };
    return access_token;
  };
}
