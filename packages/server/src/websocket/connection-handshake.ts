import { OpenClawError, type TimerHandle } from "@openclaw/foundation";
import type { CLOSE_CODES } from "@openclaw/protocol";
import { DEVICE_CHALLENGE } from "@openclaw/protocol/device";
import { InvalidRequestError, wireErrorOf } from "@openclaw/protocol/registry";
import type { DeviceClient } from "../devices/device-access.js";
import { HandshakeError, UnsupportedProtocolError } from "../errors.js";
import { internalError } from "../http/internal-error.js";
import type { ConnectionDependencies } from "./connection-dependencies.js";
import { DeviceHandshake } from "./device-handshake.js";
import type { ResponseOutcome } from "./frame-writer.js";
import { type AcceptedClient, acceptClient } from "./handshake.js";

/** Connection whose handshake it is. */
export interface HandshakeConnection {
  /** Sends the response to a call. */
  respond(id: string, outcome: ResponseOutcome): void;
  /** Opens the connection for a client, and responds to its call of `connect`. */
  open(id: string, client: AcceptedClient): void;
  /** Closes the connection. */
  close(code: keyof typeof CLOSE_CODES, reason: string): void;
  /** Closes the connection after an error frame. */
  refuse(error: OpenClawError, code: keyof typeof CLOSE_CODES): void;
}

/** Dependencies of {@link ConnectionHandshake}. */
export type ConnectionHandshakeDependencies = Pick<
  ConnectionDependencies,
  "access" | "calls" | "devices" | "logger" | "timers"
>;

/** Handshake of one connection: the challenge of a device, then `connect`, each in its time (GW-020, HOST-023). */
export class ConnectionHandshake {
  readonly #client: DeviceClient;
  readonly #device: DeviceHandshake;
  readonly #dependencies: ConnectionHandshakeDependencies;
  readonly #connection: HandshakeConnection;
  /** True while the reply to `connect` is prepared. */
  #isConnecting = false;
  #deadline: TimerHandle | undefined;

  /**
   * @param client - IP address of the client, and the header `Host` of its request
   * @param dependencies - access and methods
   * @param connection - connection of the client
   */
  constructor(
    client: DeviceClient,
    dependencies: ConnectionHandshakeDependencies,
    connection: HandshakeConnection,
  ) {
    this.#client = client;
    this.#device = new DeviceHandshake(dependencies.devices, client);
    this.#dependencies = dependencies;
    this.#connection = connection;
    this.#expectConnect(dependencies.access.limits.handshakeTimeoutMs);
  }

  /** ID of the device that has asked for a challenge. */
  get deviceId(): string | undefined {
    return this.#device.deviceId;
  }

  /**
   * Processes a frame.
   * @param frame - call of the client; undefined for an invalid one
   */
  receive(frame: { id: string; method: string; params?: unknown } | undefined): void {
    if (this.#isConnecting) {
      this.#fail("wait for the reply to connect before the next frame");
    } else if (frame?.method === DEVICE_CHALLENGE) {
      this.#challengeDevice(frame.id, frame.params);
    } else if (frame?.method === "connect") {
      this.#isConnecting = true;
      const { address } = this.#client;
      const client = { address, device: this.#device };
      acceptClient(frame.params, client, this.#dependencies).then(
        (accepted) => this.#connection.open(frame.id, accepted),
        (cause: unknown) => this.#refuse(frame.id, cause),
      );
    } else {
      this.#fail("the first frame must be a call of connect");
    }
  }

  /** Ends the handshake, when the connection is open or closed. */
  end(): void {
    this.#device.end();
    this.#stopDeadline();
  }

  #challengeDevice(id: string, params: unknown): void {
    try {
      const payload = this.#device.start(params);
      this.#connection.respond(id, { ok: true, payload });
      this.#expectConnect(payload.expiresInMs);
    } catch (cause) {
      this.#refuse(id, cause);
    }
  }

  /** Closes the connection unless `connect` arrives in time. */
  #expectConnect(ms: number): void {
    this.#stopDeadline();
    this.#deadline = this.#dependencies.timers.setTimeout(() => {
      this.#fail(`the handshake took too long; send connect within ${ms} ms`);
    }, ms);
  }

  #stopDeadline(): void {
    if (this.#deadline !== undefined) this.#dependencies.timers.clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  #refuse(id: string, cause: unknown): void {
    const error = OpenClawError.isInstance(cause)
      ? cause
      : internalError(cause, this.#dependencies.logger);
    this.#connection.respond(id, { ok: false, error: wireErrorOf(error) });
    const isProtocol =
      UnsupportedProtocolError.isInstance(error) || InvalidRequestError.isInstance(error);
    this.#connection.close(isProtocol ? "protocolError" : "policyViolation", error.code);
  }

  #fail(rule: string): void {
    this.#connection.refuse(new HandshakeError(rule), "policyViolation");
  }
}
