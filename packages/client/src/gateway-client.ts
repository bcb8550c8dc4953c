import { EventSourceParserStream } from "eventsource-parser/stream";
import type {
  ApiErrorBody,
  ChatCompletionChunk,
  ChatCompletionFinishReason,
  ChatCompletionRequest,
} from "./chat-completion.js";
import { GatewayClientError } from "./errors.js";
import { MODEL_HEADER, SESSION_KEY_HEADER } from "./request-header.js";

/** What a streamed reply consists of. */
export type ReplyEvent =
  | { type: "text"; delta: string }
  | { type: "end"; finishReason: ChatCompletionFinishReason };

/** Where the gateway is, and what lets this client in. */
export interface GatewayClientOptions {
  /** For example `http://127.0.0.1:18789`. */
  url: string;
  /** The gateway's bearer token. */
  token: string;
}

/** Which of the gateway's checks hold. */
export interface Readiness {
  ready: boolean;
  checks: { name: string; ok: boolean; detail?: string }[];
  /** The model in use, and what a person should know of a change of it before the next message. */
  model?: { ref: string; notice?: string };
}

/** Talks to one gateway. */
export interface GatewayClient {
  /** Whether the gateway answers at all. */
  alive(): Promise<boolean>;
  /** Whether the gateway is ready, and if not, why. */
  readiness(): Promise<Readiness>;
  /**
   * Sends one message and streams the reply.
   * @param message - the text, the stored session it belongs to, and a `provider/model` to use
   *   instead of the gateway's
   * @throws GatewayClientError when the gateway cannot be reached, refuses, or breaks off
   */
  reply(
    message: { text: string; sessionKey: string; model?: string },
    options?: { signal?: AbortSignal },
  ): AsyncIterable<ReplyEvent>;
}

/**
 * Makes a client; nothing is sent until one of its methods is called.
 * @param options - address and token of the gateway
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const base = options.url.replace(/\/+$/, "");
  const headers = { authorization: `Bearer ${options.token}` };

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await fetch(base + path, { ...init, headers: { ...headers, ...init.headers } });
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause;
      throw new GatewayClientError(
        "GATEWAY_UNREACHABLE",
        `no gateway answers at ${base}; start one with \`openclaw gateway run\``,
        { cause },
      );
    }
  }

  return {
    async alive() {
      try {
        return (await request("/healthz")).ok;
      } catch {
        return false;
      }
    },

    async readiness() {
      const response = await request("/readyz");
      const { checks = [], model } = (await response.json()) as Partial<Readiness>;
      return { ready: response.ok, checks, ...(model === undefined ? {} : { model }) };
    },

    async *reply(message, { signal } = {}) {
      const body: ChatCompletionRequest = {
        model: "openclaw",
        messages: [{ role: "user", content: message.text }],
        stream: true,
      };
      const response = await request("/v1/chat/completions", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          [SESSION_KEY_HEADER]: message.sessionKey,
          ...(message.model === undefined ? {} : { [MODEL_HEADER]: message.model }),
        },
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      });
      if (!response.ok || response.body === null) throw await refusal(response, base);
      yield* replyEvents(response.body);
    },
  };
}

async function refusal(response: Response, base: string): Promise<GatewayClientError> {
  const { status } = response;
  if (status === 401) {
    return new GatewayClientError(
      "GATEWAY_UNAUTHORIZED",
      `the gateway at ${base} does not accept this token; use the one in gateway.token of its state folder`,
      { status },
    );
  }
  let reason = `status ${status}`;
  try {
    const body = (await response.json()) as Partial<ApiErrorBody>;
    if (typeof body.error?.message === "string") reason = body.error.message;
  } catch {
    // An answer that is not JSON has no better reason than its status.
  }
  return new GatewayClientError("GATEWAY_REFUSED", `the gateway refused: ${reason}`, { status });
}

async function* replyEvents(body: ReadableStream<Uint8Array>): AsyncIterable<ReplyEvent> {
  let finishReason: ChatCompletionFinishReason | undefined;
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const event of events) {
    if (event.data === "[DONE]") {
      yield { type: "end", finishReason: finishReason ?? "stop" };
      return;
    }
    const chunk = parseChunk(event.data);
    const choice = chunk.choices[0];
    if (choice?.delta.content !== undefined && choice.delta.content !== "") {
      yield { type: "text", delta: choice.delta.content };
    }
    finishReason = choice?.finish_reason ?? finishReason;
  }
  throw new GatewayClientError(
    "GATEWAY_STREAM_BROKEN",
    "the gateway broke off in the middle of a reply; the message is stored, ask again to see its answer",
  );
}

function parseChunk(data: string): ChatCompletionChunk {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw new GatewayClientError(
      "GATEWAY_STREAM_BROKEN",
      "the gateway sent an event that is no JSON",
      {
        cause,
      },
    );
  }
  if (typeof value === "object" && value !== null && "error" in value) {
    const { error } = value as Partial<ApiErrorBody>;
    throw new GatewayClientError(
      "GATEWAY_REFUSED",
      error?.message ?? "the gateway reported an error",
    );
  }
  return value as ChatCompletionChunk;
}
