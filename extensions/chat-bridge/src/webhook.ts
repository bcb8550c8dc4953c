import type { BridgeChannel } from "./channel.js";

/** Path of the requests of platforms; `/<channel>` or `/<channel>/<account>` follows. */
export const WEBHOOK_PATH = "/plugins/chat-bridge";

/**
 * Handles a request of a platform.
 * @param request - a request below {@link WEBHOOK_PATH}; the adapter of the account authenticates it
 * @param channels - channels by name
 */
export async function handleWebhook(
  request: Request,
  channels: ReadonlyMap<string, BridgeChannel>,
): Promise<Response> {
  const [name = "", accountId = "default", ...rest] = new URL(request.url).pathname
    .slice(WEBHOOK_PATH.length + 1)
    .split("/");
  const channel = rest.length === 0 ? channels.get(name) : undefined;
  if (channel === undefined) {
    return new Response("Channel not found. The path is /plugins/chat-bridge/<channel>.", {
      status: 404,
    });
  }
  const account = channel.account(accountId);
  if (account !== undefined) return account.handle(request);
  return new Response("The channel does not run. See openclaw channels status.", {
    status: 503,
    headers: { "retry-after": "30" },
  });
}
