import { isDeepStrictEqual } from "node:util";
import type { ChannelContext, IncomingMessage } from "@openclaw/plugin-sdk/channel-core";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { BridgeChannel } from "../../src/channel.js";
import type { BridgeSettings, Preset } from "../../src/presets/preset.js";
import { handleWebhook } from "../../src/webhook.js";

/** Key-value store in memory, for tests without a host. */
export function memoryStore() {
  const values = new Map<string, JsonValue>();
  return {
    values,
    get: async (key: string) => values.get(key),
    set: async (key: string, value: JsonValue) => void values.set(key, value),
    delete: async (key: string) => values.delete(key),
    list: async (prefix = "") =>
      [...values].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => ({ key, value })),
    async compareAndSet(key: string, expected: JsonValue | undefined, next: JsonValue | undefined) {
      if (!isDeepStrictEqual(values.get(key), expected)) return false;
      if (next === undefined) values.delete(key);
      else values.set(key, next);
      return true;
    },
  };
}

/** A channel of the bridge whose messages a test takes itself, as the host does. */
export class DirectChannel implements AsyncDisposable {
  readonly channel: BridgeChannel;
  readonly warnings: string[] = [];
  readonly kv = memoryStore();
  readonly #settings: BridgeSettings;
  #stop = new AbortController();
  #stream: AsyncIterator<IncomingMessage> | undefined;
  #next: Promise<IteratorResult<IncomingMessage>> | undefined;

  constructor(
    preset: Preset,
    settings: BridgeSettings,
    { folders = [import.meta.dirname], adapterOptions = {} } = {},
  ) {
    this.#settings = settings;
    const dependencies = { kv: this.kv, now: () => Date.now(), folders, adapterOptions };
    this.channel = new BridgeChannel(preset, dependencies);
  }

  /** Starts the stream, and resolves when the platform is connected. */
  async start(): Promise<this> {
    this.#stop = new AbortController();
    const log = (message: string) => void this.warnings.push(message);
    const logger = { debug: () => undefined, info: () => undefined, warn: log, error: log };
    let connected: () => void = () => undefined;
    const isConnected = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const context: ChannelContext = {
      signal: this.#stop.signal,
      config: this.#settings,
      logger,
      accountId: "default",
      connected: () => connected(),
      async saveAttachment({ mimeType, content }) {
        if (!(content instanceof Uint8Array)) throw new TypeError("expected bytes");
        return { mimeType, bytes: content.byteLength };
      },
    };
    this.#stream = this.channel.start(context)[Symbol.asyncIterator]();
    this.#next = this.#stream.next();
    await Promise.race([isConnected, this.#next]);
    return this;
  }

  /** Takes the next message, and asks for the one after it. */
  async take(): Promise<IncomingMessage> {
    const { value } = (await this.#next) ?? {};
    value?.acknowledge?.();
    this.#next = this.#stream?.next();
    return value;
  }

  /** Resolves with the next message without confirming it. */
  async peek(): Promise<IncomingMessage> {
    return (await this.#next)?.value;
  }

  /** Ends the stream, as a host that stops. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#stream?.return?.();
  }

  /** Sends a request to the channel, as the route of the plugin does. */
  request = (url: URL, init: RequestInit): Promise<Response> =>
    handleWebhook(new Request(url, init), new Map([[this.channel.name, this.channel]]));

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.channel.shutdown();
  }
}
