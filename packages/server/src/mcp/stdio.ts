import type { Readable, Writable } from "node:stream";
import type { ServerEvent } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { changesOf } from "./changes.js";
import { createMcpServer, type McpServerOptions } from "./server.js";
import { ConnectionSubscriptions, sendChange } from "./subscriptions.js";

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
  /** Tells the client of a change; the library discards a server that only answered a probe. */
  let notify: (change: ServerEvent) => void = () => undefined;
  const stop = options.gateway.listen((event) => {
    for (const change of event === undefined ? [] : changesOf(event)) notify(change);
  });
  const handle = serveStdio(
    ({ era }) => {
      const server = createMcpServer({ ...options, notifies: true });
      const subscriptions = era === "legacy" ? new ConnectionSubscriptions(server) : undefined;
      // The library sends a client of the newer protocol only what it subscribed to.
      notify = (change) =>
        subscriptions === undefined ? sendChange(change, server) : subscriptions.notify(change);
      return server;
    },
    { transport: new StdioServerTransport(input, output), onerror: onError },
  );
  return async () => {
    stop();
    await handle.close();
  };
}
