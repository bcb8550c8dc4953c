import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { fieldsOf } from "../../models/rejection.js";

/** Time in milliseconds in which an app must acknowledge an event. */
const ACKNOWLEDGE_MS = 3000;
const PATH = "/link/";

/** Connections of Socket Mode, over which an app without a public URL receives its events. */
export class SlackSockets {
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #tickets = new Set<string>();
  readonly #waiting = new Map<string, (status: number) => void>();

  /** Accepts the connections of a server. */
  attach(server: Server): void {
    server.on("upgrade", (request, socket, head) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://slack");
      // A URL is valid for one connection.
      if (pathname !== PATH || !this.#tickets.delete(searchParams.get("ticket") ?? "")) {
        socket.end("HTTP/1.1 408 Request Timeout\r\n\r\n");
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#accept(client));
    });
  }

  /**
   * Returns the URL of a new connection, `apps.connections.open`.
   * @param origin - origin of the server
   */
  url(origin: string): string {
    const ticket = randomBytes(12).toString("hex");
    this.#tickets.add(ticket);
    return `${origin.replace(/^http/, "ws")}${PATH}?ticket=${ticket}`;
  }

  /** True while the app is connected. */
  get isConnected(): boolean {
    return this.#sockets.clients.size > 0;
  }

  /**
   * Sends an event over a connection.
   * @param type - `events_api`, `interactive` or `slash_commands`
   * @param payload - content of a request of the type
   * @param retry - number of the repeat
   * @returns 200 once it is acknowledged, and 408 when it is not in time
   */
  async send(type: string, payload: unknown, retry: number): Promise<number> {
    const [client] = this.#sockets.clients;
    if (client === undefined) return 408;
    const id = randomBytes(8).toString("hex");
    const status = new Promise<number>((resolve) => {
      const timer = setTimeout(() => resolve(408), ACKNOWLEDGE_MS);
      this.#waiting.set(id, (given) => {
        clearTimeout(timer);
        resolve(given);
      });
    });
    const retries = retry === 0 ? {} : { retry_attempt: retry, retry_reason: "timeout" };
    client.send(
      JSON.stringify({
        ...{ envelope_id: id, type, payload, accepts_response_payload: type !== "events_api" },
        ...retries,
      }),
    );
    try {
      return await status;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Asks the app to connect again, as Slack does with each connection after some hours. */
  refresh(): void {
    for (const client of this.#sockets.clients) {
      client.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
    }
  }

  close(): void {
    for (const client of this.#sockets.clients) client.terminate();
    this.#sockets.close();
  }

  #accept(client: WebSocket): void {
    client.on("message", (data) => {
      const id = fieldsOf(JSON.parse(String(data)))?.envelope_id;
      if (typeof id === "string") this.#waiting.get(id)?.(200);
    });
    client.on("close", () => {
      for (const end of this.#waiting.values()) end(408);
    });
    client.send(JSON.stringify({ type: "hello", num_connections: this.#sockets.clients.size }));
  }
}

/**
 * Returns a request to an app as Socket Mode has it.
 * @param body - JSON of an event, or form of an interaction or a slash command
 * @param type - media type of the body
 */
export function socketEvent(body: string, type: string): { type: string; payload: unknown } {
  if (type === "application/json") return { type: "events_api", payload: JSON.parse(body) };
  const form = new URLSearchParams(body);
  const payload = form.get("payload");
  return payload === null
    ? { type: "slash_commands", payload: Object.fromEntries(form) }
    : { type: "interactive", payload: JSON.parse(payload) };
}
