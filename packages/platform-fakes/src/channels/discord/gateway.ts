import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { type Fields, fieldsOf } from "../../models/rejection.js";
import type { DiscordUser } from "./guild.js";

/** Intents that must be enabled in the developer portal. */
const PRIVILEGED = (1 << 1) | (1 << 8) | (1 << 15);
const MESSAGE_CONTENT = 1 << 15;
const KNOWN_INTENTS = (1 << 26) - 1;

/** Codes with which Discord closes a connection. */
const CLOSE = { decode: 4002, notIdentified: 4003, token: 4004, intents: 4014 } as const;

interface GatewayEvent {
  readonly s: number;
  readonly t: string;
  readonly d: Fields;
}

interface Session {
  readonly id: string;
  readonly intents: number;
  readonly events: GatewayEvent[];
  socket: WebSocket | undefined;
}

/** Dependencies of {@link DiscordGatewayServer}. */
export interface DiscordGatewayDependencies {
  readonly token: string;
  readonly bot: DiscordUser;
  /** Intents that are enabled in the developer portal. */
  readonly privilegedIntents: number;
  url(): string;
}

/** The gateway of Discord: identify, heartbeat, dispatch and resume. */
export class DiscordGatewayServer {
  /** Number of sessions that were resumed. */
  resumed = 0;
  readonly #dependencies: DiscordGatewayDependencies;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #sessions = new Map<string, Session>();

  /** @param dependencies - token, bot and intents */
  constructor(dependencies: DiscordGatewayDependencies) {
    this.#dependencies = dependencies;
  }

  /** Accepts the connections of a server. */
  attach(server: Server): void {
    server.on("upgrade", (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#accept(client));
    });
  }

  /** True while a client is connected. */
  get isConnected(): boolean {
    return [...this.#sessions.values()].some(({ socket }) => socket !== undefined);
  }

  /**
   * Sends an event to every session, also one that is not connected and resumes later.
   * @param type - for example `MESSAGE_CREATE`
   * @param intent - intent that it needs
   */
  dispatch(type: string, data: Fields, intent: number): void {
    for (const session of this.#sessions.values()) {
      if ((session.intents & intent) === 0) continue;
      const shown = (session.intents & MESSAGE_CONTENT) === 0 ? { ...data, content: "" } : data;
      this.#send(session, type, shown);
    }
  }

  /**
   * Closes the connections, as a failure of the network or a restart of Discord.
   * @param code - close code
   */
  disconnect(code = 4000): void {
    for (const { socket } of this.#sessions.values()) socket?.close(code);
  }

  /** Asks the clients to connect again. */
  requestReconnect(): void {
    for (const { socket } of this.#sessions.values())
      socket?.send(JSON.stringify({ op: 7, d: null }));
  }

  close(): void {
    for (const client of this.#sockets.clients) client.terminate();
    this.#sockets.close();
  }

  #accept(client: WebSocket): void {
    let session: Session | undefined;
    client.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250 } }));
    client.on("message", (data) => {
      let frame: Fields | undefined;
      try {
        frame = fieldsOf(JSON.parse(String(data)));
      } catch {
        frame = undefined;
      }
      const d = fieldsOf(frame?.d) ?? {};
      if (frame === undefined) client.close(CLOSE.decode);
      else if (frame.op === 1) client.send(JSON.stringify({ op: 11 }));
      else if (frame.op === 2) session = this.#identify(client, d);
      else if (frame.op === 6) session = this.#resume(client, d);
      else if (session === undefined) client.close(CLOSE.notIdentified);
    });
    client.on("close", (code) => {
      if (session?.socket === client) session.socket = undefined;
      // These end the session; a client that wants to resume uses another code.
      if (session !== undefined && (code === 1000 || code === 1001))
        this.#sessions.delete(session.id);
    });
  }

  #identify(client: WebSocket, { token, intents, properties }: Fields): Session | undefined {
    const { bot, privilegedIntents, url } = this.#dependencies;
    if (token !== this.#dependencies.token) return void client.close(CLOSE.token);
    if (typeof intents !== "number" || fieldsOf(properties) === undefined) {
      return void client.close(CLOSE.decode);
    }
    const isAllowed = (intents & PRIVILEGED & ~privilegedIntents) === 0;
    if (!isAllowed || intents > KNOWN_INTENTS) return void client.close(CLOSE.intents);
    const session: Session = {
      id: randomBytes(16).toString("hex"),
      intents,
      events: [],
      socket: client,
    };
    this.#sessions.set(session.id, session);
    this.#send(session, "READY", {
      v: 10,
      user: bot,
      guilds: [],
      session_id: session.id,
      resume_gateway_url: url(),
      application: { id: bot.id, flags: 0 },
      shard: [0, 1],
    });
    return session;
  }

  #resume(client: WebSocket, { token, session_id: id, seq }: Fields): Session | undefined {
    if (token !== this.#dependencies.token) return void client.close(CLOSE.token);
    const session = this.#sessions.get(String(id));
    if (session === undefined || typeof seq !== "number") {
      client.send(JSON.stringify({ op: 9, d: false }));
      return undefined;
    }
    session.socket = client;
    this.resumed += 1;
    for (const { s, t, d } of session.events.filter((event) => event.s > seq)) {
      client.send(JSON.stringify({ op: 0, s, t, d }));
    }
    this.#send(session, "RESUMED", {});
    return session;
  }

  #send(session: Session, t: string, d: Fields): void {
    const event = { s: session.events.length + 1, t, d };
    session.events.push(event);
    session.socket?.send(JSON.stringify({ op: 0, ...event }));
  }
}
