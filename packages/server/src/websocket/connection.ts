import { randomUUID } from "node:crypto";
import { OpenClawError, type TimerHandle, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import {
  CLOSE_CODES,
  type GatewayEventPayload,
  gatewayEvents,
  includesScope,
  type MethodCaller,
  type MethodConnection,
  PROTOCOL_VERSIONS,
  type PublishedEventName,
} from "@openclaw/protocol";
import { InvalidRequestError, wireErrorOf } from "@openclaw/protocol/registry";
import type { WebSocket } from "ws";
import type { MethodCalls } from "../calls/method-calls.js";
import {
  HandshakeError,
  InvalidFrameError,
  PayloadTooLargeError,
  TooManyCallsError,
  UnsupportedProtocolError,
} from "../errors.js";
import { connectionEvent, resyncEvent } from "../events/connection-events.js";
import type { EventHub, EventSubscriber } from "../events/event-hub.js";
import type { SentEvent } from "../events/event-log.js";
import { EventQueue, type EventQueueLimits } from "../events/event-queue.js";
import { internalError } from "../http/internal-error.js";
import type { ConnectionAccess } from "./access.js";
import type { ConnectionApprover, ConnectionApprovers } from "./approver.js";
import { readFrame } from "./frame.js";
import { type AcceptedClient, acceptClient } from "./handshake.js";
import { MAXIMUM_OPEN_CALLS, OpenCalls } from "./open-calls.js";

/** Number of pings without an answer after which a connection is closed (GW-023). */
const MISSED_PONGS = 2;
/** Time in milliseconds after which a client may send a call that was one too many. */
const RETRY_MS = 1000;

/** State of the host that clients are told when they connect. */
export interface HostSnapshot {
  readonly generation: number;
  readonly ready: boolean;
}

/** Dependencies of {@link ClientConnection}, the same for all connections. */
export interface ConnectionDependencies {
  readonly hub: Pick<EventHub, "subscribe" | "since" | "cursor" | "noteDropped">;
  readonly calls: Pick<MethodCalls, "execute" | "names">;
  readonly access: ConnectionAccess;
  readonly approvers: ConnectionApprovers;
  readonly logger: Logger;
  readonly timers: Timers;
  /** Version of the gateway. */
  readonly version: string;
  /** Bounds of the events that wait for a client; those of GW-018 when absent. */
  readonly queueLimits?: EventQueueLimits | undefined;
  /** Returns the present state of the host. */
  snapshot(): HostSnapshot;
  /**
   * Returns the full key of a session.
   * @param sessionKey - full or short key
   */
  fullKey(sessionKey: string): string;
}

/** Connection of a client: handshake, calls and events (GW-019, GW-020). */
export class ClientConnection implements EventSubscriber, MethodConnection {
  readonly #id = randomUUID();
  readonly #socket: WebSocket;
  readonly #address: string;
  readonly #dependencies: ConnectionDependencies;
  readonly #calls: OpenCalls;
  readonly #queue: EventQueue;
  readonly #sessions = new Set<string>();
  readonly #onSent = () => this.#continue();
  /** `connecting` while the reply to `connect` is prepared. */
  #phase: "handshake" | "connecting" | "open" | "closed" = "handshake";
  #deadline: TimerHandle | undefined;
  #caller: MethodCaller | undefined;
  #approver: ConnectionApprover | undefined;
  #unsubscribe = () => {};
  #seq = 0;
  #unansweredPings = 0;

  /**
   * @param socket - open WebSocket
   * @param address - IP address of the client
   * @param dependencies - calls, events and access
   */
  constructor(socket: WebSocket, address: string, dependencies: ConnectionDependencies) {
    this.#socket = socket;
    this.#address = address;
    this.#dependencies = dependencies;
    this.#calls = new OpenCalls(dependencies.calls);
    const sink = {
      get bufferedBytes() {
        return socket.bufferedAmount;
      },
      write: (event: SentEvent, dropped: number) => {
        dependencies.hub.noteDropped(dropped);
        this.#writeEvent(event, dropped);
      },
      closeSlow: () => this.#closeSlow(),
    };
    this.#queue = new EventQueue(sink, dependencies.timers, dependencies.queueLimits);
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.on("pong", () => {
      this.#unansweredPings = 0;
    });
    socket.on("close", () => this.#closed());
    // The cause, for example a frame that is too large, is also the code with which the socket closes.
    socket.on("error", () => {});
    const { handshakeTimeoutMs } = dependencies.access.limits;
    this.#deadline = dependencies.timers.setTimeout(() => {
      const expected = `send connect within ${handshakeTimeoutMs} ms`;
      this.#fail(new HandshakeError(`the handshake took too long; ${expected}`), "policyViolation");
    }, handshakeTimeoutMs);
    this.#hello();
  }

  get caller(): Pick<MethodCaller, "scopes"> {
    return this.#caller ?? NOT_CONNECTED;
  }

  /** True once the client has completed the handshake. */
  get isOpen(): boolean {
    return this.#phase === "open";
  }

  wants(sessionKey: string): boolean {
    return this.#sessions.has(sessionKey) || this.#sessions.has("*");
  }

  send(event: SentEvent): void {
    if (this.#approver?.skips(event) === true) return;
    this.#queue.send(event);
  }

  subscribe(sessionKey: string): void {
    this.#sessions.add(sessionKey);
  }

  unsubscribe(sessionKey: string): void {
    this.#sessions.delete(sessionKey);
  }

  notify<Name extends PublishedEventName>(name: Name, payload: GatewayEventPayload<Name>): void {
    if (this.#phase !== "open") return;
    const { scope, delivery } = gatewayEvents[name];
    if (!includesScope(this.caller.scopes, scope)) return;
    this.send({ name, json: JSON.stringify(payload), scope, delivery });
  }

  onClose(listener: () => void): void {
    if (this.#phase === "closed") listener();
    else this.#socket.once("close", listener);
  }

  /** Pings the client, unless it has not answered the pings before: then its connection is closed. */
  ping(): void {
    if (this.#phase !== "open") return;
    if (this.#unansweredPings >= MISSED_PONGS) {
      this.#close("tryAgainLater", `the client did not answer ${MISSED_PONGS} pings`);
      return;
    }
    this.#unansweredPings += 1;
    this.#socket.ping();
  }

  /**
   * Closes the connection after a last event.
   * @param event - last event, if the client is connected
   */
  end(event: SentEvent): void {
    if (this.#phase === "open") this.#writeEvent(event, 0);
    this.#close("goingAway", "the gateway stops");
  }

  /**
   * Closes the connection with an error frame.
   * @param error - reason
   * @param code - name of the close code
   */
  refuse(error: OpenClawError, code: keyof typeof CLOSE_CODES): void {
    this.#fail(error, code);
  }

  #hello(): void {
    const { version } = this.#dependencies;
    const protocol = { ...PROTOCOL_VERSIONS };
    const payload = { protocol, nonce: randomUUID(), server: { version } };
    this.#writeEvent(connectionEvent("hello", payload), 0);
  }

  #continue(): void {
    this.#queue.flush();
    if (this.#socket.isPaused && !this.#queue.isSlow) this.#socket.resume();
  }

  #receive(data: WebSocket.RawData, isBinary: boolean): void {
    if (this.#phase === "closed") return;
    if (isBinary) {
      const message = "a frame must be text; send JSON in a text frame";
      this.#fail(new InvalidFrameError(message), "unsupportedData");
      return;
    }
    const { handshakeFrameBytes, jsonDepth } = this.#dependencies.access.limits;
    const frame = asBuffer(data);
    if (this.#phase !== "open" && frame.length > handshakeFrameBytes) {
      this.#fail(handshakeTooLarge(handshakeFrameBytes), "tooLarge");
      return;
    }
    const read = readFrame(frame.toString(), jsonDepth);
    if ("fatal" in read) {
      const isTooLarge = read.fatal.kind === "too-large";
      this.#fail(read.fatal, isTooLarge ? "tooLarge" : "protocolError");
    } else if (this.#phase !== "open") {
      this.#handshake("frame" in read ? read.frame : undefined);
    } else if ("error" in read) {
      this.#respond(read.id, { ok: false, error: wireErrorOf(read.error) });
    } else {
      this.#call(read.frame);
    }
  }

  #handshake(frame: { id: string; method: string; params?: unknown } | undefined): void {
    if (this.#phase !== "handshake" || frame?.method !== "connect") {
      const rule =
        this.#phase === "connecting"
          ? "wait for the reply to connect before the next frame"
          : "the first frame must be a call of connect";
      this.#fail(new HandshakeError(rule), "policyViolation");
      return;
    }
    this.#phase = "connecting";
    acceptClient(frame.params, this.#address, this.#dependencies).then(
      (client) => this.#open(frame.id, client),
      (cause: unknown) => this.#refuseClient(frame.id, cause),
    );
  }

  #refuseClient(id: string, cause: unknown): void {
    const error = OpenClawError.isInstance(cause)
      ? cause
      : internalError(cause, this.#dependencies.logger);
    this.#respond(id, { ok: false, error: wireErrorOf(error) });
    const isProtocol =
      UnsupportedProtocolError.isInstance(error) || InvalidRequestError.isInstance(error);
    this.#close(isProtocol ? "protocolError" : "policyViolation", error.code);
  }

  #open(id: string, { caller, params, reply }: AcceptedClient): void {
    if (this.#phase !== "connecting") return;
    const { hub, version, approvers, fullKey, snapshot } = this.#dependencies;
    this.#stopDeadline();
    this.#phase = "open";
    this.#caller = caller;
    for (const key of params.subscribe ?? []) this.#sessions.add(fullKey(key));
    const missed = params.resume === undefined ? undefined : hub.since(params.resume.cursor, this);
    const resumed = missed !== undefined && "events" in missed;
    this.#respond(id, {
      ok: true,
      payload: {
        ...reply,
        connId: this.#id,
        snapshot: {
          server: { version },
          cursor: resumed ? params.resume?.cursor : hub.cursor,
          resumed,
          sessions: [...this.#sessions],
          ...snapshot(),
        },
      },
    });
    if (missed !== undefined) {
      if ("events" in missed) this.#queue.replay(missed.events);
      else this.send(resyncEvent(missed.unavailable));
    }
    this.#unsubscribe = hub.subscribe(this);
    if (params.approver === true) {
      this.#approver = approvers.attend((event) => this.#queue.send(event));
    }
  }

  #call(frame: { id: string; method: string; params?: unknown }): void {
    const { id, method } = frame;
    if (this.#calls.has(id)) {
      const rule = "use an ID again only after its response";
      this.#fail(new InvalidFrameError(`the call "${id}" is still open; ${rule}`), "protocolError");
      return;
    }
    if (method === "connect") {
      const error = new InvalidRequestError(method, [
        { path: "", message: "was called already; open another connection" },
      ]);
      this.#respond(id, { ok: false, error: wireErrorOf(error) });
      return;
    }
    if (this.#calls.isFull) {
      const error = wireErrorOf(new TooManyCallsError(MAXIMUM_OPEN_CALLS, RETRY_MS));
      this.#respond(id, { ok: false, error });
      return;
    }
    const caller = this.#caller;
    if (caller === undefined) return;
    void this.#calls.execute(frame, caller, this).then((outcome) => {
      this.#respond(
        id,
        outcome.ok ? { ok: true, payload: outcome.payload } : { ok: false, error: outcome.error },
      );
    });
  }

  #respond(id: string, outcome: object): void {
    if (this.#phase === "closed") return;
    this.#write(JSON.stringify({ type: "res", id, ...outcome }));
    this.#queue.checkLimits();
    // A client that does not read its responses must not cause more of them.
    if (this.#queue.isSlow) this.#socket.pause();
  }

  #writeEvent({ name, json, cursor }: SentEvent, dropped: number): void {
    this.#seq += 1;
    const position = cursor === undefined ? "" : `,"cursor":"${cursor}"`;
    const left = dropped === 0 ? "" : `,"dropped":${dropped}`;
    this.#write(
      `{"type":"event","event":${JSON.stringify(name)},"seq":${this.#seq}${position}${left},"payload":${json}}`,
    );
  }

  #write(text: string): void {
    this.#socket.send(text, this.#onSent);
  }

  #fail(error: OpenClawError, code: keyof typeof CLOSE_CODES): void {
    if (this.#phase === "closed") return;
    this.#write(JSON.stringify({ type: "error", error: wireErrorOf(error) }));
    this.#close(code, error.code);
  }

  #closeSlow(): void {
    this.#dependencies.logger.warn("a client was disconnected because it reads too slowly", {
      connId: this.#id,
      caller: this.#caller?.id,
    });
    this.#close("tryAgainLater", "the client reads too slowly; connect again with resume");
  }

  #close(code: keyof typeof CLOSE_CODES, reason: string): void {
    if (this.#phase === "closed") return;
    this.#closed();
    this.#socket.close(CLOSE_CODES[code], reason);
  }

  #closed(): void {
    this.#phase = "closed";
    this.#stopDeadline();
    this.#unsubscribe();
    this.#approver?.end();
    this.#queue.close();
    this.#calls.close();
  }

  #stopDeadline(): void {
    if (this.#deadline === undefined) return;
    this.#dependencies.timers.clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }
}

const NOT_CONNECTED = { scopes: [] };

/**
 * Returns the error of a client that sends too much before it is authenticated.
 * @param limit - maximum size in bytes
 */
export function handshakeTooLarge(limit: number): PayloadTooLargeError {
  return new PayloadTooLargeError(
    `a client may send ${limit} bytes before the handshake (gateway.limits.handshakeFrameBytes); send connect first`,
  );
}

function asBuffer(data: WebSocket.RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
