import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

/** A request as the server got it. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
}

/** A server on a free port of the loopback interface that gives every request the same answer. */
export interface EventServer extends AsyncDisposable {
  origin: string;
  requests: SeenRequest[];
}

/**
 * Starts the server.
 * @param answer - body and content type of its one answer, and the status if it is not 200
 */
export async function startServer(answer: {
  body: string;
  contentType: string;
  status?: number;
}): Promise<EventServer> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let text = "";
    for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
    requests.push({
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: text === "" ? {} : JSON.parse(text),
    });
    outgoing.writeHead(answer.status ?? 200, { "content-type": answer.contentType });
    outgoing.end(answer.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
