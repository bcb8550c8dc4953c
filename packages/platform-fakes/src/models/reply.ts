import type { IncomingHttpHeaders } from "node:http";

/** A tool call in the reply of a model server. */
export interface ModelServerToolCall {
  readonly id: string;
  readonly name: string;
  /** Arguments, streamed in several chunks; need not be JSON. */
  readonly arguments: string;
}

/** Token usage in the reply of a model server. */
export interface ModelServerUsage {
  readonly input: number;
  readonly output: number;
  /** Part of `output` that was used for reasoning. */
  readonly reasoning?: number;
  /** Part of `input` that was read from the prompt cache. */
  readonly cached?: number;
  /** Part of `input` that was written to the prompt cache; only Anthropic and Bedrock report it. */
  readonly cacheWrite?: number;
}

/** Failure that every provider reports, each in its own format. */
export type ModelServerFailure =
  | "rate-limited"
  | "no-quota"
  | "overloaded"
  | "server-error"
  | "context-length"
  | "unknown-model";

/** Reply of a model server to one request, with an optional fault. */
export interface ModelServerReply {
  readonly text?: string;
  /** Reasoning before the text. The server signs it, and rejects a later request that sends it back changed. */
  readonly thinking?: string;
  readonly toolCalls?: readonly ModelServerToolCall[];
  /**
   * Reason of the end as the API writes it, for example `length`, `max_tokens` or `SAFETY`; with the Responses API that of
   * an incomplete response, or `failed`. Default: the end of a complete reply.
   */
  readonly finish?: string;
  /** Default: 11 tokens in, 7 out. */
  readonly usage?: ModelServerUsage;
  /** Fails as the provider does, with status, code, message and headers of its API. */
  readonly failure?: ModelServerFailure;
  /** Responds with this status and an error in the format of the API, instead of a stream. */
  readonly status?: number;
  /** Message of that error. */
  readonly message?: string;
  /** Headers of the response, in addition to the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Responds with exactly this text instead of a stream. */
  readonly body?: string;
  /** Fault after a number of events of the stream. */
  readonly fault?: {
    readonly afterEvents: number;
    /** `reset` breaks the connection, `end` closes it in good order; the others are sent before the end. */
    readonly kind: "reset" | "end" | "garbage" | "error-event";
  };
  /** After this many events the stream waits until the promise settles; 0 is a slow first byte. */
  readonly hold?: { readonly afterEvents: number; readonly until: Promise<unknown> };
}

/** A request that a model server received. */
export interface ModelServerRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed body; an empty object when there is none. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it was sent. */
  readonly text: string;
  /** Settles when the client disconnected before the response was complete. */
  readonly hungUp: Promise<void>;
}

/** A scripted reply, or a function that creates it from the request. */
export type ModelServerReplySource =
  | ModelServerReply
  | ((request: ModelServerRequest) => ModelServerReply);

/** A model API on a free port of the loopback interface. */
export interface ModelServer extends AsyncDisposable {
  /** Base URL for a client of the API, for example `http://127.0.0.1:40001/v1`. */
  readonly baseURL: string;
  /** URL without a path. */
  readonly origin: string;
  /** Requests so far, including rejected ones. */
  readonly requests: readonly ModelServerRequest[];
  /** Appends replies to the remaining ones. */
  reply(...replies: readonly ModelServerReplySource[]): void;
  /** Removes the remaining replies, and forgets the requests. */
  clear(): void;
  /** Closes the server and its connections. */
  close(): Promise<void>;
}
