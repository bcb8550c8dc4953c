import { randomUUID } from "node:crypto";
import type { OpenClawError } from "@openclaw/foundation";
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
import { InvalidFrameError, SlowClientError, TooManyCallsError } from "../errors.js";
import { connectionEvent, resyncEvent } from "../events/connection-events.js";
import type { EventSubscriber } from "../events/event-hub.js";
import type { SentEvent } from "../events/event-log.js";
import { EventQueue } from "../events/event-queue.js";
import type { ConnectionApprover } from "./approver.js";
import type { ConnectionDependencies } from "./connection-dependencies.js";
import { ConnectionHandshake } from "./connection-handshake.js";
import { FrameWriter, type ResponseOutcome } from "./frame-writer.js";
import type { AcceptedClient } from "./handshake.js";
import { MAXIMUM_OPEN_CALLS, OpenCalls } from "./open-calls.js";
import { readMessage } from "./received-message.js";

/** Number of pings without an answer after which a connection is closed (GW-023). */
const MISSED_PONGS = 2;
/** Time in milliseconds after which a client may send a call that was one too many. */
const RETRY_MS = 1000;

/** Connection of a client: handshake, calls and events (GW-019, GW-020). */
export class ClientConnection implements EventSubscriber, MethodConnection {
  readonly #id = randomUUID();
  readonly #socket: WebSocket;
  readonly #handshake: ConnectionHandshake;
  readonly #dependencies: ConnectionDependencies;
  readonly #calls: OpenCalls;
  readonly #queue: EventQueue;
  readonly #frames: FrameWriter;
  readonly #sessions = new Set<string>();
  #phase: "handshake" | "open" | "closed" = "handshake";
  #caller: MethodCaller | undefined;
  #approver: ConnectionApprover | undefined;
  #unsubscribe = () => {};
  #unansweredPings = 0;

  /**
   * @param socket - open WebSocket
   * @param client - IP address of the client, and the header `Host` of its request
   * @param dependencies - calls, events and access
   */
  constructor(
    socket: WebSocket,
    client: { readonly address: string; readonly host: string },
    dependencies: ConnectionDependencies,
  ) {
    this.#socket = socket;
    this.#dependencies = dependencies;
    this.#calls = new OpenCalls(dependencies.calls);
    const onSent = () => this.#continue();
    this.#frames = new FrameWriter((text) => socket.send(text, onSent));
    const sink = {
      get bufferedBytes() {
        return socket.bufferedAmount;
      },
      write: (event: SentEvent, dropped: number) => {
        dependencies.hub.noteDropped(dropped);
        this.#frames.event(event, dropped);
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
    this.#handshake = new ConnectionHandshake(client, dependencies, {
      respond: (id, outcome) => this.#respond(id, outcome),
      open: (id, accepted) => this.#open(id, accepted),
      close: (code, reason) => this.#close(code, reason),
      refuse: (error, code) => this.#fail(error, code),
    });
    this.#hello();
  }

  get caller(): Pick<MethodCaller, "scopes"> {
    return this.#caller ?? NOT_CONNECTED;
  }

  /** True once the client has completed the handshake. */
  get isOpen(): boolean {
    return this.#phase === "open";
  }

  /** ID of the device that uses the connection, or asked for its challenge. */
  get deviceId(): string | undefined {
    return this.#handshake.deviceId;
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
    if (this.#phase === "open") this.#frames.event(event);
    this.#close("goingAway", "the gateway stops");
  }

  /**
   * Closes the connection with an error frame.
   * @param error - reason
   */
  refuse(error: OpenClawError, code: keyof typeof CLOSE_CODES): void {
    this.#fail(error, code);
  }

  #hello(): void {
    const { version } = this.#dependencies;
    const protocol = { ...PROTOCOL_VERSIONS };
    const payload = { protocol, nonce: randomUUID(), server: { version } };
    this.#frames.event(connectionEvent("hello", payload));
  }

  #continue(): void {
    this.#queue.flush();
    if (this.#socket.isPaused && !this.#queue.isSlow) this.#socket.resume();
  }

  #receive(data: WebSocket.RawData, isBinary: boolean): void {
    if (this.#phase === "closed") return;
    const { handshakeFrameBytes, jsonDepth } = this.#dependencies.access.limits;
    const read = readMessage(data, isBinary, {
      jsonDepth,
      handshakeFrameBytes: this.#phase === "open" ? undefined : handshakeFrameBytes,
    });
    if ("fatal" in read) {
      this.#fail(read.fatal, read.code);
    } else if (this.#phase !== "open") {
      this.#handshake.receive("frame" in read ? read.frame : undefined);
    } else if ("error" in read) {
      this.#respond(read.id, { ok: false, error: wireErrorOf(read.error) });
    } else {
      this.#call(read.frame);
    }
  }

  #open(id: string, { caller, params, reply }: AcceptedClient): void {
    if (this.#phase !== "handshake") return;
    const { hub, version, approvers, fullKey, snapshot } = this.#dependencies;
    this.#handshake.end();
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
      if (outcome.ok) {
        this.#respond(id, { ok: true, payload: outcome.payload });
        return;
      }
      const { reason, message } = outcome.error;
      const requestId = randomUUID();
      // The client shows the ID, which leads to this line.
      this.#dependencies.logger.info("a call failed", { requestId, method, code: reason, message });
      this.#respond(id, { ok: false, error: { ...outcome.error, requestId } });
    });
  }

  #respond(id: string, outcome: ResponseOutcome): void {
    if (this.#phase === "closed") return;
    this.#frames.respond(id, outcome);
    this.#queue.checkLimits();
    // A client that does not read its responses must not cause more of them.
    if (this.#queue.isSlow) this.#socket.pause();
  }

  #fail(error: OpenClawError, code: keyof typeof CLOSE_CODES): void {
    if (this.#phase === "closed") return;
    this.#frames.error(error);
    this.#close(code, error.code);
  }

  #closeSlow(): void {
    this.#dependencies.logger.warn("a client was disconnected because it reads too slowly", {
      connId: this.#id,
      caller: this.#caller?.id,
    });
    // The client receives it after the frames that wait, if it reads at all.
    this.#frames.error(new SlowClientError());
    this.#close("tryAgainLater", "the client reads too slowly; connect again with resume");
  }

  #close(code: keyof typeof CLOSE_CODES, reason: string): void {
    if (this.#phase === "closed") return;
    this.#closed();
    this.#socket.close(CLOSE_CODES[code], reason);
  }

  #closed(): void {
    this.#phase = "closed";
    this.#handshake.end();
    this.#unsubscribe();
    this.#approver?.end();
    this.#queue.close();
    this.#calls.close();
  }
}

const NOT_CONNECTED = { scopes: [] };
