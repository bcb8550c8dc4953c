import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export const TOKEN = "a-token-of-the-fake-gateway";

/** Request that the fake gateway received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Resolves when the connection closed before the response was complete. */
  readonly hungUp: Promise<void>;
}

/** Server with the responses of a test. */
export interface FakeGateway {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

/**
 * Starts a server that implements the gateway's protocol until the end of the test.
 * @param answer - responds to each request
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
 * Responds with JSON.
 * @param response - response to the request
 * @param status - HTTP status
 * @param body - any JSON value
 */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/**
 * Starts a streamed response.
 * @param response - response to the request
 * @returns function that writes the data of one event
 */
export function answerEvents(response: ServerResponse): (data: unknown) => void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (data) =>
    void response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}

/**
 * Creates a chunk of a reply in the gateway's format.
 * @param content - text of the chunk
 * @param finish_reason - null while the reply continues
 */
export function chunk(content: string | undefined, finish_reason: string | null = null) {
  const delta = content === undefined ? {} : { content };
  return { choices: [{ index: 0, delta, logprobs: null, finish_reason }] };
}
