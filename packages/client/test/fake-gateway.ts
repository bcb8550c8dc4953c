import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export const TOKEN = "a-token-of-the-fake-gateway";

/** A request as the fake gateway got it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Resolves when the connection closed before the answer was whole. */
  readonly hungUp: Promise<void>;
}

/** A server that answers as a test says. */
export interface FakeGateway {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

/**
 * Starts a server that speaks the gateway's wire until the end of the test.
 * @param answer - answers each request
 */
export async function startFakeGateway(
  answer: (response: ServerResponse, request: ReceivedRequest) => unknown,
): Promise<FakeGateway> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const hungUp = new Promise<void>((resolve) => {
      response.once("close", () => {
        if (!response.writableFinished) resolve();
      });
    });
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: await text(incoming), hungUp };
    requests.push(request);
    await answer(response, request);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `http://127.0.0.1:${address.port}`, requests };
}

/**
 * Answers with JSON.
 * @param response - to the request
 * @param status - of HTTP
 * @param body - any JSON value
 */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/**
 * Begins a streamed answer.
 * @param response - to the request
 * @returns writes the data of one event
 */
export function answerEvents(response: ServerResponse): (data: unknown) => void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (data) =>
    void response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}

/**
 * One piece of a reply, as the gateway sends it.
 * @param content - the piece
 * @param finish_reason - null while the reply goes on
 */
export function chunk(content: string | undefined, finish_reason: string | null = null) {
  const delta = content === undefined ? {} : { content };
  return { choices: [{ index: 0, delta, logprobs: null, finish_reason }] };
}
