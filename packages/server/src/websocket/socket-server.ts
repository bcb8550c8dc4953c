import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type Clock, OpenClawError, type TimerHandle } from "@openclaw/foundation";
import { CONNECTION_LIMITS, type GatewayEventPayload } from "@openclaw/protocol";
import { deviceFingerprint } from "@openclaw/protocol/device";
import { type WebSocket, WebSocketServer } from "ws";
import { DeviceRevokedError } from "../devices/errors.js";
import { GatewayStoppingError, InvalidFrameError } from "../errors.js";
import { shutdownEvent, tickEvent } from "../events/connection-events.js";
import { refuse } from "../http/refusal.js";
import { ClientConnection } from "./connection.js";
import type { ConnectionDependencies } from "./connection-dependencies.js";
import { handshakeTooLarge } from "./received-message.js";

/** Path of the WebSocket. */
const PATH = "/ws";
/** Time in milliseconds in which a client must confirm the end of its connection. */
const CLOSE_MS = 2000;
/** Bytes of the frames' headers that come in addition to the handshake. */
const FRAME_OVERHEAD = 1024;

/** Dependencies of {@link SocketServer}. */
export interface SocketServerDependencies extends ConnectionDependencies {
  /** Timer of the ticks. */
  readonly timers: Pick<Clock, "setTimeout" | "clearTimeout" | "setInterval" | "clearInterval">;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Serves the WebSocket connections of a host on `/ws`. */
export class SocketServer {
  readonly #dependencies: SocketServerDependencies;
  readonly #server: WebSocketServer;
  readonly #connections = new Set<ClientConnection>();
  readonly #ticking: TimerHandle;
  #isClosing = false;
  #whenEmpty = () => {};

  /** @param dependencies - events, calls and access */
  constructor(dependencies: SocketServerDependencies) {
    this.#dependencies = dependencies;
    const options = {
      noServer: true,
      clientTracking: false,
      maxPayload: dependencies.access.limits.frameBytes,
      maxFragments: 1024,
      closeTimeout: CLOSE_MS,
    };
    this.#server = new WebSocketServer(options);
    const { tickIntervalMs } = CONNECTION_LIMITS;
    this.#ticking = dependencies.timers.setInterval(() => this.#tick(), tickIntervalMs);
  }

  /** Number of connections. */
  get size(): number {
    return this.#connections.size;
  }

  /**
   * Serves the connections of an HTTP server.
   * @param server - server that receives the requests
   */
  attach(server: Pick<Server, "on">): void {
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
  }

  /** Returns true while a device has a connection. */
  hasDevice(deviceId: string): boolean {
    return this.#ofDevice(deviceId).some(({ isOpen }) => isOpen);
  }

  /** Closes the connections of a revoked device, also those that it is opening (HOST-023). */
  revokeDevice(deviceId: string): void {
    const reason = new DeviceRevokedError(deviceFingerprint(deviceId));
    for (const connection of this.#ofDevice(deviceId)) {
      connection.refuse(reason, "policyViolation");
    }
  }

  /** Accepts no more connections. */
  stopAccepting(): void {
    this.#isClosing = true;
  }

  /**
   * Ends every connection: the clients are told, and have a short time to confirm.
   * @param reason - reason of the stop
   */
  async close(reason: GatewayEventPayload<"shutdown">["reason"]): Promise<void> {
    this.#isClosing = true;
    const { timers } = this.#dependencies;
    timers.clearInterval(this.#ticking);
    const event = shutdownEvent(reason);
    for (const connection of this.#connections) connection.end(event);
    if (this.#connections.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }

  #ofDevice(deviceId: string): readonly ClientConnection[] {
    return [...this.#connections].filter((connection) => connection.deviceId === deviceId);
  }

  #tick(): void {
    const { now, hub } = this.#dependencies;
    const event = tickEvent(now(), hub.cursor);
    for (const connection of this.#connections) {
      if (connection.isOpen) connection.send(event);
      connection.ping();
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A client may disconnect before it is answered.
    socket.once("error", () => socket.destroy());
    let address: string;
    try {
      if (this.#isClosing) throw new GatewayStoppingError();
      if (!isSocketRequest(request)) throw new InvalidFrameError(`only ${PATH} is a WebSocket`);
      address = this.#dependencies.access.admitUpgrade(request);
    } catch (error) {
      if (!OpenClawError.isInstance(error)) throw error;
      refuse(socket, error);
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (client) =>
      this.#connect(client, socket, { address, host: request.headers.host ?? "" }),
    );
  }

  #connect(
    client: WebSocket,
    socket: Duplex,
    from: { readonly address: string; readonly host: string },
  ): void {
    const connection = new ClientConnection(client, from, this.#dependencies);
    this.#connections.add(connection);
    client.once("close", () => {
      this.#connections.delete(connection);
      if (this.#connections.size === 0) this.#whenEmpty();
    });
    limitHandshake(connection, socket, this.#dependencies.access.limits.handshakeFrameBytes);
  }
}

/** Limits what is buffered for a client that has not authenticated; the limit of frames alone is larger (GW-017). */
function limitHandshake(connection: ClientConnection, socket: Duplex, limit: number): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (connection.isOpen) {
      socket.off("data", count);
    } else if (received > limit + FRAME_OVERHEAD) {
      socket.off("data", count);
      connection.refuse(handshakeTooLarge(limit), "tooLarge");
    }
  };
  socket.on("data", count);
}

/**
 * Returns true for a request that may become a connection; other requests with an `Upgrade` header are answered as if
 * they had none.
 * @param request - request with an `Upgrade` header
 */
export function isSocketRequest(request: IncomingMessage): boolean {
  return pathOf(request) === PATH;
}

function pathOf({ url = "" }: IncomingMessage): string | undefined {
  return url.split("?", 1)[0];
}
