import { once } from "node:events";
import { createServer } from "node:http";
import {
  CONNECTION_LIMITS,
  type ConnectParams,
  connectParamsSchema,
  gatewayEvents,
  PROTOCOL_VERSIONS,
  requestFrameSchema,
  serverFrameSchema,
} from "@openclaw/protocol";
import { Check } from "typebox/value";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { TOKEN } from "./fake-gateway.js";

/** Call that the fake gateway received. */
export interface ReceivedCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly connection: FakeConnection;
}

/** Published event with its place in the log. */
interface LoggedEvent {
  readonly event: string;
  readonly payload: unknown;
  readonly cursor: string;
}

/** A call that is never answered. */
export const NO_ANSWER = Symbol("no answer");

/** Failure with which a test answers a call or `connect`. */
export class Rejection extends Error {
  readonly wire: Readonly<Record<string, unknown>>;

  constructor(wire: Readonly<Record<string, unknown>>) {
    super("refused");
    this.wire = {
      code: "INVALID_REQUEST",
      reason: "NO",
      kind: "invalid",
      message: "no",
      retryable: false,
      ...wire,
    };
  }
}

/** One connection of a client. */
export class FakeConnection {
  readonly socket: WebSocket;
  connect: ConnectParams | undefined;
  readonly sessions = new Set<string>();
  #seq = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
  }

  /** Sends an event frame with the next number. */
  sendEvent(
    event: string,
    payload: unknown,
    position: { cursor?: string; dropped?: number } = {},
  ): string {
    this.#seq += 1;
    const frame = { type: "event", event, payload, seq: this.#seq, ...position };
    return this.send(frame);
  }

  /** Skips a number, as if an event had been lost. */
  skipEvent(): void {
    this.#seq += 1;
  }

  send(frame: object): string {
    if (!Check(serverFrameSchema, frame)) throw new Error(`not a frame: ${JSON.stringify(frame)}`);
    const text = JSON.stringify(frame);
    this.socket.send(text);
    return text;
  }

  /** Ends the connection in the middle of a frame. */
  breakFrame(): void {
    const { _socket: tcp } = this.socket as unknown as { _socket: import("node:net").Socket };
    // The head of a text frame of 100 bytes, and three of them.
    tcp.write(Buffer.from([0x81, 100, 0x7b, 0x22, 0x74]), () => tcp.destroy());
  }
}

/** Server of the frames of a gateway, with a log of events to resume from, and faults. */
export class FakeSocketGateway {
  url = "";
  readonly connections: FakeConnection[] = [];
  readonly calls: ReceivedCall[] = [];
  readonly connects: ConnectParams[] = [];
  /** Answers a call; throws a {@link Rejection} to reject it. */
  answer: (call: ReceivedCall) => unknown = () => ({});
  /** Checks a `connect`; throws a {@link Rejection} to reject it. */
  admit: (params: ConnectParams, connection: FakeConnection) => void = () => {};
  /** Called for each new socket before anything is sent; true when the test does the rest. */
  greet: (connection: FakeConnection) => boolean = () => false;
  #log: LoggedEvent[] = [];
  #epoch = 1;
  #position = 0;
  readonly #watchers: (() => void)[] = [];

  /** Newest connection. */
  get connection(): FakeConnection {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error("no client is connected");
    return connection;
  }

  /** Waits until a condition holds; it is checked after each frame and each end of a connection. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  /** Wakes those that wait. */
  changed(): void {
    for (const wake of this.#watchers.splice(0)) wake();
  }

  get cursor(): string {
    return `${this.#epoch}-${this.#position}`;
  }

  /** Publishes an event to the clients that may receive it, and keeps a durable one. */
  publish(event: keyof typeof gatewayEvents, payload: Readonly<Record<string, unknown>>): void {
    const isDurable = gatewayEvents[event].delivery === "durable";
    if (isDurable) {
      this.#position += 1;
      this.#log.push({ event, payload, cursor: this.cursor });
    }
    for (const connection of this.connections) {
      if (!wants(connection, event, payload)) continue;
      connection.sendEvent(event, payload, isDurable ? { cursor: this.cursor } : {});
    }
  }

  /** Forgets the events, as a gateway does that starts again, and closes the connections. */
  restart(): void {
    this.#epoch += 1;
    this.#position = 0;
    this.#log = [];
    for (const connection of this.connections.splice(0))
      connection.socket.close(1001, "the gateway stops");
  }

  accept(socket: WebSocket): void {
    const connection = new FakeConnection(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      const index = this.connections.indexOf(connection);
      if (index >= 0) this.connections.splice(index, 1);
      this.changed();
    });
    if (this.greet(connection)) {
      this.changed();
      return;
    }
    socket.on("message", (data) => {
      void this.#receive(connection, JSON.parse(String(data))).then(() => this.changed());
    });
    connection.sendEvent("hello", {
      protocol: { ...PROTOCOL_VERSIONS },
      nonce: "n",
      server: { version: "1.0.0" },
    });
  }

  async #receive(connection: FakeConnection, frame: unknown): Promise<void> {
    if (!Check(requestFrameSchema, frame)) throw new Error(`not a frame: ${JSON.stringify(frame)}`);
    const { id, method, params = {} } = frame;
    try {
      if (connection.connect === undefined) {
        if (method !== "connect") throw new Error(`${method} came before connect`);
        if (!Check(connectParamsSchema, params)) throw new Error("invalid parameters of connect");
        this.#connect(connection, id, params);
        return;
      }
      const call = { method, params: params as ReceivedCall["params"], connection };
      this.calls.push(call);
      this.changed();
      const payload = await this.answer(call);
      if (payload !== NO_ANSWER) connection.send({ type: "res", id, ok: true, payload });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      connection.send({ type: "res", id, ok: false, error: error.wire });
      if (connection.connect === undefined)
        connection.socket.close(1008, String(error.wire.reason));
    }
  }

  #connect(connection: FakeConnection, id: string, params: ConnectParams): void {
    this.connects.push(params);
    this.admit(params, connection);
    if (params.auth.token !== TOKEN) {
      throw new Rejection({ code: "UNAUTHORIZED", kind: "unauthenticated", reason: "TOKEN" });
    }
    connection.connect = params;
    for (const key of params.subscribe ?? []) connection.sessions.add(key);
    const from = params.resume?.cursor;
    const missed = from === undefined ? undefined : this.#since(from);
    const payload = {
      protocol: 1,
      connId: "x",
      scopes: ["operator.admin"],
      methods: ["sessions.delete"],
      events: ["tick"],
      policy: {
        maxPayloadBytes: CONNECTION_LIMITS.maxPayloadBytes,
        maxBufferedBytes: CONNECTION_LIMITS.maxBufferedBytes,
        tickIntervalMs: CONNECTION_LIMITS.tickIntervalMs,
      },
      snapshot: {
        server: { version: "1.0.0" },
        cursor: missed === undefined ? this.cursor : from,
        resumed: missed !== undefined,
        sessions: [...connection.sessions],
        generation: 1,
        ready: true,
      },
    };
    connection.send({ type: "res", id, ok: true, payload });
    this.connections.push(connection);
    if (from !== undefined && missed === undefined) {
      connection.sendEvent("resync", { reason: "restarted" });
    }
    for (const { event, payload: data, cursor } of missed ?? []) {
      if (wants(connection, event, data)) connection.sendEvent(event, data, { cursor });
    }
  }

  #since(cursor: string): readonly LoggedEvent[] | undefined {
    const [epoch, position] = cursor.split("-").map(Number);
    return epoch === this.#epoch ? this.#log.slice(position) : undefined;
  }
}

function wants({ sessions }: FakeConnection, event: string, payload: unknown): boolean {
  if (!/^(chat|tool)\./.test(event)) return true;
  const { sessionKey } = payload as { sessionKey: string };
  return sessions.has(sessionKey) || sessions.has("*");
}

/** Starts a gateway of frames that runs until the end of the test. */
export async function startFakeSocketGateway(): Promise<FakeSocketGateway> {
  const gateway = new FakeSocketGateway();
  const server = createServer((_, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ server, path: "/ws" });
  sockets.on("connection", (socket) => gateway.accept(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  gateway.url = `http://127.0.0.1:${address.port}`;
  return gateway;
}
