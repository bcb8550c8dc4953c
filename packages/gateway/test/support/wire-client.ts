import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  type ConnectParams,
  type ConnectResult,
  type ServerFrame,
  serverFrameSchema,
} from "@openclaw/protocol";
import { Compile } from "typebox/compile";
import { type ClientOptions, WebSocket } from "ws";

const serverFrame = Compile(serverFrameSchema);

/** Event as a client receives it. */
export type EventFrame = Extract<ServerFrame, { type: "event" }> & {
  // biome-ignore lint/suspicious/noExplicitAny: assertions read payloads of every form
  readonly payload: any;
};
/** Response as a client receives it. */
export type ResponseFrame = Extract<ServerFrame, { type: "res" }>;

/** Raw client of the WebSocket protocol. It keeps every frame. */
export class WireClient {
  readonly socket: WebSocket;
  /** Every frame, in the order of arrival. */
  readonly frames: ServerFrame[] = [];
  readonly #watchers = new Set<() => void>();
  #closed: { code: number; reason: string } | undefined;

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(`${url.replace("http", "ws")}/ws`, options);
    this.socket.on("message", (data) => {
      const frame: unknown = JSON.parse(String(data));
      if (!serverFrame.Check(frame))
        throw new TypeError(`not a frame of a server: ${String(data)}`);
      this.frames.push(frame);
      this.#notify();
    });
    this.socket.on("close", (code, reason) => {
      this.#closed = { code, reason: reason.toString() };
      this.#notify();
    });
    this.socket.on("error", () => this.#notify());
  }

  /** Events that have arrived. */
  get events(): readonly EventFrame[] {
    return this.frames.filter((frame): frame is EventFrame => frame.type === "event");
  }

  /** Resolves with the first value that a function finds in the frames. */
  async until<Found>(find: () => Found | undefined): Promise<Found> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.#closed !== undefined) {
        throw new Error(
          `closed with ${JSON.stringify(this.#closed)}: ${JSON.stringify(this.frames)}`,
        );
      }
      await this.#change();
    }
  }

  /** Resolves with the event of a name, the first after those that were taken with the same function. */
  event(name: string, matches: (event: EventFrame) => boolean = () => true): Promise<EventFrame> {
    return this.until(() => this.events.find((event) => event.event === name && matches(event)));
  }

  /** Resolves with the close code once the connection is closed. */
  async closed(): Promise<{ code: number; reason: string }> {
    while (this.#closed === undefined) await this.#change();
    return this.#closed;
  }

  sendText(text: string): void {
    this.socket.send(text);
  }

  /** Sends a request and resolves with its response. */
  async request(
    method: string,
    params?: unknown,
    id: string = randomUUID(),
  ): Promise<ResponseFrame> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, "open");
    this.sendText(JSON.stringify({ type: "req", id, method, params }));
    return this.until(() =>
      this.frames.find((frame): frame is ResponseFrame => frame.type === "res" && frame.id === id),
    );
  }

  /** Calls a method and resolves with its result. */
  // biome-ignore lint/suspicious/noExplicitAny: assertions read results of every form
  async call(method: string, params?: object): Promise<any> {
    const response = await this.request(method, params);
    if (!response.ok) throw new Error(`${method}: ${response.error.message}`);
    return response.payload;
  }

  /** Completes the handshake. */
  async connect(token: string, options: Partial<ConnectParams> = {}): Promise<ConnectResult> {
    return await this.call("connect", { ...connectParams(token), ...options });
  }

  /** Closes the connection and waits for the end. */
  async close(): Promise<void> {
    this.socket.close();
    await this.closed();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const watcher = () => {
        this.#watchers.delete(watcher);
        resolve();
      };
      this.#watchers.add(watcher);
    });
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

/** Returns valid parameters of `connect`. */
function connectParams(token: string): ConnectParams {
  return {
    minProtocol: 1,
    maxProtocol: 1,
    client: { id: "test", version: "1.0.0", mode: "automation" },
    auth: { token },
  };
}
