import { ChannelDisconnectedError } from "@openclaw/plugin-sdk/channel-core";
import { loadDependency } from "../adapter/package.js";
import type { ConnectionContext, PlatformConnection } from "../presets/preset.js";

/** Settings of the connection. */
export interface SocketSettings {
  /** App-level token with the scope `connections:write`. */
  readonly appToken: string;
  /** Secret by which the adapter recognises an event of this connection. */
  readonly forwardingSecret: string;
  /** Options of the client of the Web API. */
  readonly clientOptions: Readonly<Record<string, unknown>>;
  /** Log in the form that the library takes. */
  readonly logger: unknown;
}

/** Event of `SocketModeClient` of `@slack/socket-mode`, as far as it is used here. */
interface SocketEvent {
  readonly type: string;
  readonly body: unknown;
  readonly retry_num?: number;
  ack(): Promise<void>;
}

interface SocketClient {
  start(): Promise<unknown>;
  disconnect(): Promise<void>;
  on(event: "slack_event", listener: (event: SocketEvent) => void): void;
  on(event: "disconnected" | "error", listener: (error: unknown) => void): void;
}

/**
 * Receives the events of Slack by Socket Mode, for a gateway without a public URL. An event is acknowledged once its
 * message is stored, so that Slack sends it again otherwise; the adapter itself would acknowledge it before.
 */
export class SlackSocket implements PlatformConnection {
  readonly #context: ConnectionContext;
  readonly #settings: SocketSettings;
  readonly #events = new Set<Promise<void>>();
  #client: SocketClient | undefined;
  #lastError: unknown;
  #isConnected = false;
  #isClosed = false;

  /**
   * @param context - adapter and log
   * @param settings - tokens and options
   */
  constructor(context: ConnectionContext, settings: SocketSettings) {
    this.#context = context;
    this.#settings = settings;
  }

  /**
   * Connects.
   * @throws the error of Slack when it does not accept the token
   */
  async open(): Promise<void> {
    const { appToken, clientOptions, logger } = this.#settings;
    const library = await loadDependency("@slack/socket-mode", this.#context.folder);
    const Client = library?.SocketModeClient;
    if (typeof Client !== "function") {
      throw new Error("@slack/socket-mode is not complete; install the adapter again");
    }
    const options = {
      ...{ appToken, logger, clientOptions: { ...clientOptions } },
      // The library does not handle the failure of a later connection; the host does.
      autoReconnectEnabled: false,
    };
    const client: SocketClient = Reflect.construct(Client, [options]);
    this.#client = client;
    client.on("slack_event", (event) => this.#receive(event));
    client.on("error", (error) => {
      this.#lastError = error;
    });
    client.on("disconnected", () => this.#reconnect());
    await this.#connect();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all(this.#events);
    await this.#client?.disconnect();
  }

  async #connect(): Promise<void> {
    try {
      await this.#client?.start();
      this.#isConnected = true;
    } catch (error) {
      const cause = error ?? this.#lastError;
      if (cause !== undefined) throw cause;
      throw new ChannelDisconnectedError("slack", "Slack closed the connection of Socket Mode");
    }
  }

  /** Slack closes each connection after some hours, and expects another one. */
  #reconnect(): void {
    if (this.#isClosed || !this.#isConnected) return;
    this.#isConnected = false;
    this.#connect().catch((error: unknown) => this.#context.onFailure(error));
  }

  #receive(event: SocketEvent): void {
    const done = this.#hand(event).finally(() => this.#events.delete(done));
    this.#events.add(done);
  }

  async #hand({ type, body, retry_num: retryNum, ack }: SocketEvent): Promise<void> {
    const { handle, logger } = this.#context;
    try {
      const response = await handle(
        new Request("https://socket.invalid/", {
          method: "POST",
          headers: { "x-slack-socket-token": this.#settings.forwardingSecret },
          body: JSON.stringify({ eventType: type, body, retryNum }),
        }),
      );
      if (response.status < 500) await ack();
    } catch (error) {
      logger.warn("an event of Slack was not acknowledged; Slack sends it again", { error });
    }
  }
}
