import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { ChannelStartupFailedError } from "@openclaw/plugin-sdk/channel-core";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { CHANNEL } from "./settings.js";

/** Listener of an account's own. */
export interface Listening {
  readonly url: string;
  /** Stops listening, and ends open connections. */
  close(): Promise<void>;
}

/**
 * Listens for requests on an address of an account's own (CHAN-023).
 * @param address - port, and name or IP address of the interface
 * @param fetch - handles a request
 * @throws ChannelStartupFailedError when the address cannot be used
 */
export async function listen(
  { port, host }: { readonly port: number; readonly host: string },
  fetch: (request: Request) => Promise<Response>,
): Promise<Listening> {
  // Loaded with the first listener, and not at the start of every host.
  const { createAdaptorServer } = await import("@hono/node-server");
  const server = createAdaptorServer({ fetch });
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    const reason = errorMessage(error);
    const problem = `cannot listen on ${host}:${port} (${reason}); choose another channels.http.port`;
    throw new ChannelStartupFailedError(CHANNEL, problem, { cause: error });
  }
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
    },
  };
}
