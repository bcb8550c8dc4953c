import openaiCompatible from "@openclaw/openai-compatible";
import {
  type ModelServer,
  type ModelServerReplySource,
  startChatServer,
  startTelegramServer,
  type TelegramServer,
} from "@openclaw/platform-fakes";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { createTestHost, type TestHost, type TestHostOptions } from "@openclaw/plugin-testkit";
import telegram from "@openclaw/telegram";
import { vi } from "vitest";

const KEY = "test-key";

/** Settings of a {@link SurfaceScene}. */
export interface SurfaceSceneOptions {
  /** Further settings of the host. */
  readonly config?: TestHostOptions["config"];
  /** Further settings of the channel. */
  readonly telegram?: Readonly<Record<string, unknown>>;
  /** Models that are called when the first one fails. */
  readonly fallbacks?: readonly string[];
  readonly neighbours?: readonly PluginDefinition[];
  readonly files?: TestHostOptions["files"];
  readonly store?: TestHostOptions["store"];
}

/** The same conversation on several surfaces: a host, a server of a model, and a server of Telegram. */
export class SurfaceScene implements AsyncDisposable {
  readonly host: TestHost;
  readonly model: ModelServer;
  readonly telegram: TelegramServer;

  private constructor(host: TestHost, model: ModelServer, server: TelegramServer) {
    this.host = host;
    this.model = model;
    this.telegram = server;
  }

  /**
   * Starts the host and its servers.
   * @param options - settings of the host and the channel
   */
  static async open(options: SurfaceSceneOptions = {}): Promise<SurfaceScene> {
    const model = await startChatServer([], { apiKey: KEY });
    const server = await startTelegramServer();
    const { token: botToken, url: apiRoot } = server;
    const { config = {}, neighbours = [], fallbacks = [], files, store } = options;
    const host = await createTestHost({
      plugin: telegram,
      neighbours: [openaiCompatible, ...neighbours],
      config: {
        models: { retry: { retries: 0 } },
        agents: { defaults: { fallbacks: [...fallbacks] } },
        ...config,
        plugins: {
          entries: {
            "openai-compatible": { config: { baseURL: model.baseURL, apiKey: KEY } },
          },
        },
        channels: { telegram: { botToken, apiRoot, dmPolicy: "open", ...options.telegram } },
      },
      model: "openai-compatible/large",
      ...(files && { files }),
      ...(store && { store }),
    });
    return new SurfaceScene(host, model, server);
  }

  /**
   * Determines the next replies of the model.
   * @param replies - one for each request
   */
  script(...replies: readonly ModelServerReplySource[]): void {
    this.model.clear();
    this.model.reply(...replies);
  }

  /**
   * Sends a request to the API for OpenAI clients.
   * @param path - for example `/v1/chat/completions`
   * @param body - body without the name of the model
   */
  async post(path: string, body: object): Promise<Response> {
    return await this.host.request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "openclaw", ...body }),
    });
  }

  /**
   * Returns the text of a completion, or the message of its error.
   * @param text - message of the user
   */
  async completed(text: string): Promise<string> {
    const messages = [{ role: "user", content: text }];
    const body = await (await this.post("/v1/chat/completions", { messages })).json();
    return String(at(body, "choices", 0, "message", "content") ?? at(body, "error", "message"));
  }

  /**
   * Returns the items of a response, each as its text parts, or the message of its error.
   * @param input - message of the user
   */
  async responded(input: string): Promise<string[]> {
    const body = await (await this.post("/v1/responses", { input })).json();
    const output = at(body, "output");
    if (!Array.isArray(output)) return [String(at(body, "error", "message"))];
    return output.map((item) => String(at(item, "content", 0, "text")));
  }

  /**
   * Returns the text of a streamed completion.
   * @param text - message of the user
   */
  async streamed(text: string): Promise<string> {
    const messages = [{ role: "user", content: text }];
    const response = await this.post("/v1/chat/completions", { messages, stream: true });
    const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
    return lines
      .map((line) => at(JSON.parse(line.slice(6)), "choices", 0, "delta", "content") ?? "")
      .join("");
  }

  /**
   * Sends a message from Telegram, and returns the messages with which the bot answers it.
   * @param text - text of the message
   * @param count - number of messages to wait for
   */
  async tell(text: string, count = 1): Promise<string[]> {
    const before = this.telegram.sent.length;
    this.telegram.write({ text });
    return await vi.waitFor(() => {
      const sent = this.telegram.sent.slice(before).map((message) => message.text);
      if (sent.length < count) throw new Error(`only ${sent.length} messages were sent`);
      return sent;
    }, 60_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.telegram.dropPoll();
    await this.host.dispose();
    await this.telegram.close();
    await this.model.close();
  }
}

/**
 * Returns a value inside of a JSON value; undefined where there is none.
 * @param value - JSON value
 * @param path - keys and indexes
 */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
}
