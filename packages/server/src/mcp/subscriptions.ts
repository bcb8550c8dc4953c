import type { Server, ServerEvent } from "@modelcontextprotocol/server";

/** Changes for one connection of a client of the protocol of 2025, which subscribes to each resource. */
export class ConnectionSubscriptions {
  readonly #server: Server;
  readonly #uris = new Set<string>();

  /** @param server - server of the connection, which receives the handlers of subscriptions */
  constructor(server: Server) {
    this.#server = server;
    server.setRequestHandler("resources/subscribe", ({ params }) => {
      this.#uris.add(params.uri);
      return {};
    });
    server.setRequestHandler("resources/unsubscribe", ({ params }) => {
      this.#uris.delete(params.uri);
      return {};
    });
  }

  /**
   * Tells the client of a change, unless it is one of a resource that the client did not subscribe to.
   * @param change - change of the gateway
   */
  notify(change: ServerEvent): void {
    if (change.kind === "resource_updated" && !this.#uris.has(change.uri)) return;
    sendChange(change, this.#server);
  }
}

/**
 * Sends a change to a client.
 * @param change - change of the gateway
 * @param server - server of the connection
 */
export function sendChange(change: ServerEvent, server: Server): void {
  // The connection may end at any moment.
  sent(change, server).catch(() => undefined);
}

function sent(change: ServerEvent, server: Server): Promise<void> {
  switch (change.kind) {
    case "resource_updated":
      return server.sendResourceUpdated({ uri: change.uri });
    case "resources_list_changed":
      return server.sendResourceListChanged();
    case "tools_list_changed":
      return server.sendToolListChanged();
    case "prompts_list_changed":
      return server.sendPromptListChanged();
  }
}
