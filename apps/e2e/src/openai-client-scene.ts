import { once } from "node:events";
import { createServer } from "node:http";
import {
  type ModelServer,
  type ModelServerReply,
  type ModelServerReplySource,
  type ModelServerRequest,
  type ModelServerToolCall,
  startAnthropicServer,
  startChatServer,
} from "@openclaw/platform-fakes";
import type { GatewayProcess } from "./openclaw-process.js";
import { emptyPlace, type Place } from "./place.js";
import { startGateway } from "./warm-process.js";

const PROVIDER_KEY = "test-key";

/** A gateway process for clients that know only its URL and its token, and the server of its model. */
export class ClientScene implements AsyncDisposable {
  readonly #place: Place;
  readonly #model: ModelServer;
  readonly #files: FileServer;
  #gateway: GatewayProcess;

  private constructor(
    place: Place,
    model: ModelServer,
    files: FileServer,
    gateway: GatewayProcess,
  ) {
    this.#place = place;
    this.#model = model;
    this.#files = files;
    this.#gateway = gateway;
  }

  /**
   * Starts a gateway process whose model is one of a fake server.
   * @param api - API of the server
   */
  static async open(api: "openai" | "anthropic" = "openai"): Promise<ClientScene> {
    const start = api === "openai" ? startChatServer : startAnthropicServer;
    const model = await start([], { apiKey: PROVIDER_KEY });
    const files = await startFileServer();
    const place = emptyPlace(
      api === "openai"
        ? { LLM_BASE_URL: model.baseURL, LLM_API_KEY: PROVIDER_KEY, LLM_MODEL: "large" }
        : { ANTHROPIC_BASE_URL: model.baseURL, ANTHROPIC_API_KEY: PROVIDER_KEY },
    );
    const allowHosts = [new URL(files.url).host];
    // Each request of a client is one request to the model.
    const configuration = { tools: { http: { allowHosts } }, models: { retry: { retries: 0 } } };
    place.writeState({ "openclaw.json": JSON.stringify(configuration) });
    return new ClientScene(place, model, files, await startGateway(place));
  }

  /** URL of the OpenAI API. */
  get baseURL(): string {
    return `${this.url}/v1`;
  }

  /** URL of the gateway. */
  get url(): string {
    return this.#gateway.url;
  }

  /** URL of the server of the model, for a client that knows it, and its key. */
  get model(): { readonly baseURL: string; readonly apiKey: string } {
    return { baseURL: this.#model.baseURL, apiKey: PROVIDER_KEY };
  }

  /** Token of the gateway. */
  get apiKey(): string {
    return this.#gateway.token;
  }

  /** URL of an image that the gateway may fetch. */
  get imageUrl(): string {
    return `${this.#files.url}/pixel.png`;
  }

  /** Requests that the model received since {@link script}. */
  get asked(): readonly ModelServerRequest[] {
    return this.#model.requests;
  }

  /**
   * Determines the next replies of the model.
   * @param replies - one for each request
   */
  script(...replies: readonly ModelServerReplySource[]): void {
    this.#model.clear();
    this.#model.reply(...replies);
  }

  /** Returns the messages of each request to the model as JSON. */
  conversations(): readonly string[] {
    return this.asked.map(({ body }) => JSON.stringify(body.messages));
  }

  /** Makes the model wait with its reply, and returns a promise of its request. */
  silence(): Promise<ModelServerRequest> {
    return new Promise((resolve) => {
      this.script((request) => {
        resolve(request);
        return { text: "never", hold: { afterEvents: 0, until: request.hungUp } };
      });
    });
  }

  /** Kills the gateway and starts it again in the same state folder. */
  async restart(): Promise<void> {
    await this.#gateway.end("SIGKILL");
    this.#gateway = await startGateway(this.#place);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway[Symbol.asyncDispose]();
    await this.#model.close();
    await this.#files.close();
    this.#place[Symbol.dispose]();
  }
}

const PIXEL_BASE64 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** A red pixel as a data URL. */
export const PIXEL = `data:image/png;base64,${PIXEL_BASE64}`;

/** The beginning of a PDF as a data URL. */
export const PDF = `data:application/pdf;base64,${Buffer.from("%PDF-1.7\n").toString("base64")}`;

/** JSON Schema of a person, and a person. */
export const PERSON_SCHEMA = {
  type: "object" as const,
  properties: { name: { type: "string" as const }, age: { type: "number" as const } },
  required: ["name", "age"],
  additionalProperties: false,
};
export const PERSON = { name: "Ada", age: 36 };

/** Reply of a model that calls a tool of the client. */
export const WEATHER_CALL = {
  text: "Wait.",
  toolCalls: [call("get_weather", { city: "Oslo" })],
} satisfies ModelServerReply;

/**
 * Returns a call of a tool.
 * @param name - name of the tool
 * @param params - its arguments
 */
export function call(name: string, params: object): ModelServerToolCall {
  return { id: "provider-1", name, arguments: JSON.stringify(params) };
}

interface FileServer {
  readonly url: string;
  close(): Promise<void>;
}

async function startFileServer(): Promise<FileServer> {
  const server = createServer((_request, response) => {
    // Servers often give a type that says nothing.
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.end(Buffer.from(PIXEL_BASE64, "base64"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
