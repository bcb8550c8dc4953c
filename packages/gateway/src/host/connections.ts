import { systemClock, waitAtMost } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import {
  connectionApprovers,
  type DeviceAccess,
  type EventHub,
  type EventStreams,
  type GatewayAccess,
  type HttpServer,
  type MethodCalls,
  SocketServer,
} from "@openclaw/server";
import type { Host } from "./running-host.js";
import type { StopReason } from "./shutdown.js";

/** Time in milliseconds that is left of the shutdown to close the connections. */
const CLOSE_MS = 500;

/** Dependencies of {@link createSocketServer}. */
export interface SocketServerOptions {
  readonly host: Pick<Host, "attend" | "fullKey" | "plugins">;
  readonly hub: EventHub;
  readonly calls: MethodCalls;
  readonly access: GatewayAccess;
  readonly devices: DeviceAccess;
  readonly version: string;
  readonly logger: Logger;
  /** Returns true when the host has started and does not stop. */
  isReady(): boolean;
}

/**
 * Creates the WebSocket connections of a host.
 * @param options - host, events, calls and access
 */
export function createSocketServer({
  host,
  isReady,
  ...options
}: SocketServerOptions): SocketServer {
  return new SocketServer({
    ...options,
    approvers: connectionApprovers((approver) => host.attend(approver)),
    timers: systemClock,
    now: Date.now,
    fullKey: (sessionKey) => host.fullKey(sessionKey),
    snapshot: () => ({ generation: host.plugins.current.number, ready: isReady() }),
  });
}

/** Clients that receive the events of a host. */
export interface ConnectedClients {
  readonly sockets: SocketServer;
  readonly streams: EventStreams;
  /** Resolves when the clients have the events that were published before. */
  settled(): Promise<void>;
}

/** Listeners of a host, which stop together. */
export class Listeners {
  readonly #http: HttpServer;
  readonly #clients: ConnectedClients;

  /**
   * @param http - server of the host
   * @param clients - clients that receive events
   */
  constructor(http: HttpServer, clients: ConnectedClients) {
    this.#http = http;
    this.#clients = clients;
  }

  /** Port of the server. */
  get port(): number {
    return this.#http.port;
  }

  /**
   * Closes the listeners: no client is accepted any more, requests and connections remain until the turns have ended,
   * and then the connections are told.
   * @param drain - maximum time in milliseconds, and a promise that settles when the turns have ended
   */
  async close(
    reason: StopReason,
    drain: { readonly ms: number; readonly ended: Promise<unknown> },
  ): Promise<void> {
    const closed = this.#http.close(drain.ms);
    this.#clients.sockets.stopAccepting();
    await waitAtMost(drain.ms - CLOSE_MS, drain.ended);
    await this.#end(reason);
    await closed;
  }

  /** Stops listening, so that another listener can take the port. */
  pause(): void {
    this.#http.pause();
  }

  /** Listens again after {@link Listeners.pause}. */
  resume(): Promise<void> {
    return this.#http.resume();
  }

  /**
   * Ends the connections after another listener took over: requests in progress are served to their end, and the other
   * connections are told to connect again.
   */
  async retire(): Promise<void> {
    const closed = this.#http.close();
    this.#clients.sockets.stopAccepting();
    await this.#end("restart");
    await closed;
  }

  /** Closes the listeners at once, after a failed start. */
  async abort(): Promise<void> {
    await Promise.all([this.#end("error"), this.#http.close(0)]);
  }

  async #end(reason: StopReason): Promise<void> {
    const { sockets, streams } = this.#clients;
    await this.#clients.settled();
    streams.close(reason);
    await sockets.close(reason);
  }
}
