import type { ServerResponse } from "node:http";
import { type LoopbackRequest, LoopbackServer } from "../loopback-server.js";
import type { ApiResponse, FullReply, ModelServerProtocol } from "./protocol.js";
import { fieldsOf, Rejection } from "./rejection.js";
import type {
  ModelServer,
  ModelServerReply,
  ModelServerReplySource,
  ModelServerRequest,
} from "./reply.js";

/**
 * Starts a server that speaks a model API with scripted replies.
 * @param protocol - the API
 * @param replies - one per accepted request, in order
 */
export async function startModelServer(
  protocol: ModelServerProtocol,
  replies: readonly ModelServerReplySource[],
): Promise<ModelServer> {
  const waiting = [...replies];
  const requests: ModelServerRequest[] = [];
  const server = new LoopbackServer(answer);

  async function answer(received: LoopbackRequest, outgoing: ServerResponse): Promise<void> {
    const request = modelRequest(received);
    requests.push(request);
    const response = responseTo(request);
    if ("contentType" in response) await stream(response.reply, request, outgoing);
    else respond(response, outgoing);
  }

  function responseTo(
    request: ModelServerRequest,
  ): ApiResponse | { readonly contentType: string; readonly reply: ModelServerReply } {
    const { basePath } = protocol;
    if (!request.path.startsWith(basePath)) return noEndpoint(request);
    try {
      if (!protocol.asksForReply(request)) return protocol.respond(request) ?? noEndpoint(request);
      checkText(request);
      protocol.check(request);
      const source = waiting.shift();
      if (source === undefined) throw new Rejection("the model server has no reply left", 500);
      const reply = typeof source === "function" ? source(request) : source;
      const failed = reply.failure && protocol.failed(reply.failure);
      if (failed) return { ...failed, headers: { ...failed.headers, ...reply.headers } };
      if (reply.status !== undefined) {
        const rejection = new Rejection(reply.message ?? "scripted failure", reply.status);
        return { ...protocol.rejected(rejection), headers: { ...reply.headers } };
      }
      return { contentType: protocol.contentType, reply };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      return protocol.rejected(error);
    }
  }

  function noEndpoint({ method, path }: ModelServerRequest): ApiResponse {
    return protocol.rejected(new Rejection(`no endpoint ${method} ${path}`, 404));
  }

  async function stream(
    reply: ModelServerReply,
    request: ModelServerRequest,
    outgoing: ServerResponse,
  ): Promise<void> {
    if (reply.body !== undefined) {
      outgoing.writeHead(200, { "content-type": "text/html", ...reply.headers });
      outgoing.end(reply.body);
      return;
    }
    const { fault, hold } = reply;
    const events = protocol.events(fullReply(reply), request);
    outgoing.writeHead(200, { "content-type": protocol.contentType, ...reply.headers });
    outgoing.flushHeaders();
    for (let sent = 0; sent <= events.length; sent += 1) {
      if (hold?.afterEvents === sent) await hold.until;
      if (fault?.afterEvents === sent) {
        if (fault.kind === "garbage") await write(outgoing, protocol.garbage);
        if (fault.kind === "error-event") await write(outgoing, protocol.errorEvent("overloaded"));
        if (fault.kind === "reset") outgoing.socket?.resetAndDestroy();
        break;
      }
      const event = events[sent];
      if (event !== undefined) await write(outgoing, event);
    }
    outgoing.end();
  }

  await server.listen();
  const { origin } = server;
  const close = () => server.close();
  return {
    baseURL: `${origin}${protocol.basePath}`,
    origin,
    requests,
    reply: (...more) => void waiting.push(...more),
    clear() {
      waiting.length = 0;
      requests.length = 0;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function fullReply(reply: ModelServerReply): FullReply {
  return { text: "", thinking: "", toolCalls: [], usage: { input: 11, output: 7 }, ...reply };
}

function respond({ status, body, headers }: ApiResponse, outgoing: ServerResponse): void {
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
}

function modelRequest({ body: bytes, ...received }: LoopbackRequest): ModelServerRequest {
  const text = bytes.toString();
  const body = (text === "" ? undefined : fieldsOf(JSON.parse(text))) ?? {};
  return { ...received, body, text };
}

/** Sends one event in two chunks, split at a place that is not a boundary of lines. */
async function write(outgoing: ServerResponse, event: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(event);
  const middle = Math.floor(bytes.length / 2);
  for (const piece of [bytes.subarray(0, middle), bytes.subarray(middle)]) {
    await new Promise<void>((resolve) => outgoing.write(piece, () => resolve()));
  }
}

/** Rejects text that is not well-formed, as strict providers do. */
function checkText({ text, body }: ModelServerRequest): void {
  if (text.isWellFormed() && isWellFormed(body)) return;
  throw new Rejection("the request body is not valid JSON: lone surrogate in a string", 400);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}
