import type { Readable, Writable } from "node:stream";
import type { Server, ServerEvent } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { changesOf } from "./changes.js";
import { createMcpServer, type McpServerOptions } from "./server.js";

/** Options of {@link serveMcpOverStdio}. */
export interface StdioMcpOptions extends Omit<McpServerOptions, "notifies"> {
  readonly input: Readable;
  readonly output: Writable;
  /**
   * Receives problems of the connection.
   * @param error - problem
   */
  onError(error: Error): void;
}

/**
 * Serves one MCP client over a pair of streams, until its input ends (EXT-015).
 * @param options - gateway, session and streams
 * @returns function that ends the connection
 */
export function serveMcpOverStdio({
  input,
  output,
  onError,
  ...options
}: StdioMcpOptions): () => Promise<void> {
  /** The server of the connection; the library discards one that only answered a probe. */
  let current: { readonly server: Server; isSubscribed(uri: string): boolean } | undefined;
  const stop = options.gateway.listen((event) => {
    for (const change of event === undefined ? [] : changesOf(event)) notify(change);
  });
  const notify = (change: ServerEvent) => {
    if (current === undefined) return;
    if (change.kind === "resource_updated" && !current.isSubscribed(change.uri)) return;
    // The connection may end at any moment.
    sent(change, current.server).catch(() => undefined);
  };
  const handle = serveStdio(
    ({ era }) => {
      const server = createMcpServer({ ...options, notifies: true });
      const subscribed = new Set<string>();
      // The library sends a client of the newer protocol only what it subscribed to.
      const isSubscribed = (uri: string) => era === "modern" || subscribed.has(uri);
      current = { server, isSubscribed };
      if (era === "legacy") addSubscriptions(server, subscribed);
      return server;
    },
    { transport: new StdioServerTransport(input, output), onerror: onError },
  );
  return async () => {
    stop();
    await handle.close();
  };
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

function addSubscriptions(server: Server, subscribed: Set<string>): void {
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
}
