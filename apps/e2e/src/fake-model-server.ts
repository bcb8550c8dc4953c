import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A tool call in a reply of a fake server. */
export interface FakeToolCall {
  id: string;
  name: string;
  /** Arguments, streamed in several chunks; need not be JSON. */
  arguments: string;
}

/** Reply of a fake server to one request, with an optional fault. */
export interface FakeReply {
  text?: string;
  /** Reasoning before the text. */
  thinking?: string;
  toolCalls?: readonly FakeToolCall[];
  /** Tokens; default 11 in, 7 out. */
  usage?: { input: number; output: number; reasoning?: number; cached?: number };
  /** Responds with this status and an error in the format of the API, instead of a stream. */
  status?: number;
  /** The message of that error. */
  message?: string;
  /** Headers of the answer, on top of the usual ones. */
  headers?: Record<string, string>;
  /** Responds with exactly this text instead of a stream. */
  body?: string;
  /** Fault after a number of events of the stream. */
  fault?: {
    afterEvents: number;
    /** Reset: the connection breaks. End: it closes in good order. Others are sent, then it ends. */
    kind: "reset" | "end" | "garbage" | "error-event";
  };
  /** Behind this many events the stream waits until the promise settles. */
  hold?: { afterEvents: number; until: Promise<unknown> };
}

/** A request as a fake server got it. */
export interface FakeRequest {
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
  /** Settles when the client disconnected before the response was complete. */
  hungUp: Promise<void>;
}

/** A scripted reply, or one made from the request it answers. */
export type FakeReplySource = FakeReply | ((request: FakeRequest) => FakeReply);

/** A fake model API on a free port of the loopback interface. */
export interface FakeModelServer {
  /** Address up to and with `/v1`. */
  readonly baseURL: string;
  /** Requests so far, including rejected ones. */
  readonly requests: readonly FakeRequest[];
  /** Appends replies to the remaining ones. */
  reply(...replies: readonly FakeReplySource[]): void;
  /** Removes the remaining replies, and forgets the requests. */
  clear(): void;
  close(): Promise<void>;
}

/** Protocol of one model API. */
export interface FakeProtocol {
  /** Path of the endpoint, relative to the base URL. */
  path: string;
  /** Returns the error with which the real API would reject the request; undefined for a valid request. */
  refusal(request: FakeRequest): { status: number; message: string } | undefined;
  /** The events of a reply, ready to send. */
  events(reply: FakeReply, request: FakeRequest): string[];
  /** An error inside a stream, ready to send. */
  errorEvent(message: string): string;
  /** The body of an error answer. */
  errorBody(status: number, message: string): unknown;
}

/**
 * Starts a server that speaks a model API with scripted replies.
 * @param protocol - the API
 * @param replies - one per request that is accepted, in order
 */
export async function startFakeModelServer(
  protocol: FakeProtocol,
  replies: readonly FakeReplySource[],
): Promise<FakeModelServer> {
  const waiting = [...replies];
  const requests: FakeRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void answer(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, outgoing);
    requests.push(request);
    const fail = (status: number, message: string, headers: Record<string, string> = {}) => {
      outgoing.writeHead(status, { "content-type": "application/json", ...headers });
      outgoing.end(JSON.stringify(protocol.errorBody(status, message)));
    };
    if (request.path !== `/v1${protocol.path}`) return fail(404, `no endpoint ${request.path}`);
    const refusal = protocol.refusal(request);
    if (refusal !== undefined) return fail(refusal.status, refusal.message);
    const source = waiting.shift();
    if (source === undefined) return fail(500, "the fake server has no reply left");
    const reply = typeof source === "function" ? source(request) : source;
    if (reply.status !== undefined) {
      return fail(reply.status, reply.message ?? "scripted failure", reply.headers);
    }
    if (reply.body !== undefined) {
      outgoing.writeHead(200, { "content-type": "text/html", ...reply.headers });
      outgoing.end(reply.body);
      return;
    }
    await stream(reply, request, outgoing);
  }

  async function stream(
    reply: FakeReply,
    request: FakeRequest,
    outgoing: ServerResponse,
  ): Promise<void> {
    outgoing.writeHead(200, { "content-type": "text/event-stream", ...reply.headers });
    outgoing.flushHeaders();
    const events = protocol.events(reply, request);
    const { fault, hold } = reply;
    for (let sent = 0; sent <= events.length; sent += 1) {
      if (hold?.afterEvents === sent) await hold.until;
      if (fault?.afterEvents === sent) {
        if (fault.kind === "garbage") await write(outgoing, 'data: {"cho\u0000ices": [<<<\n\n');
        if (fault.kind === "error-event") await write(outgoing, protocol.errorEvent("overloaded"));
        if (fault.kind === "reset") outgoing.socket?.resetAndDestroy();
        break;
      }
      const event = events[sent];
      if (event !== undefined) await write(outgoing, event);
    }
    outgoing.end();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    baseURL: `http://127.0.0.1:${address.port}/v1`,
    requests,
    reply: (...more) => void waiting.push(...more),
    clear() {
      waiting.length = 0;
      requests.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<FakeRequest> {
  const hungUp = new Promise<void>((resolve) => {
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) resolve();
    });
  });
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  const body: Record<string, unknown> = text === "" ? {} : JSON.parse(text);
  return { path: incoming.url ?? "", headers: incoming.headers, body, hungUp };
}

/** Sends one event in two chunks, split at a place that is not a boundary of lines. */
async function write(outgoing: ServerResponse, event: string): Promise<void> {
  const middle = Math.floor(event.length / 2);
  for (const piece of [event.slice(0, middle), event.slice(middle)]) {
    await new Promise<void>((resolve) => outgoing.write(piece, () => resolve()));
  }
}

/**
 * Splits a text into chunks of a few characters, as servers stream arguments.
 * @param text - any text
 * @param length - maximum number of characters of a chunk
 */
export function pieces(text: string, length = 6): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += length) {
    parts.push(text.slice(start, start + length));
  }
  return parts;
}
