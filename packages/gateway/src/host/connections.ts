import { systemClock, waitAtMost } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import {
  type ConnectionAccess,
  connectionApprovers,
  type EventHub,
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
  readonly access: ConnectionAccess;
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

/** Listeners of a host, which stop together. */
export interface Listeners {
  readonly http: HttpServer;
  readonly sockets: SocketServer;
}

/**
 * Closes the listeners: no client is accepted any more, requests and connections remain until the turns have ended,
 * and then the connections are told.
 * @param listeners - listeners of the host
 * @param reason - reason of the stop
 * @param drain - maximum time in milliseconds, and a promise that settles when the turns have ended
 */
export async function closeListeners(
  { http, sockets }: Listeners,
  reason: StopReason,
  drain: { readonly ms: number; readonly ended: Promise<unknown> },
): Promise<void> {
  const closed = http.close(drain.ms);
  sockets.stopAccepting();
  await waitAtMost(drain.ms - CLOSE_MS, drain.ended);
  await sockets.close(reason);
  await closed;
}
