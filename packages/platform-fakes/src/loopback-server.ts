import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";

/** Request that a fake received, with its whole body. */
export interface LoopbackRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Resolves when the client closes the connection before it has the answer. */
  readonly hungUp: Promise<void>;
}

/** Answers a request; it may leave it without an answer. */
export type LoopbackAnswer = (
  request: LoopbackRequest,
  response: ServerResponse,
) => void | Promise<void>;

/** Closes the connection of a request instead of answering it. */
export class HangUp extends Error {}

/** HTTP server of every fake, on a free port of the loopback interface. An answer that throws becomes status 500. */
export class LoopbackServer {
  /** The server, for connections that are not HTTP requests. */
  readonly http: Server;

  /** @param answer - answers a request; a {@link HangUp} closes the connection */
  constructor(answer: LoopbackAnswer) {
    this.http = createServer((incoming, outgoing) => void answered(answer, incoming, outgoing));
  }

  /**
   * Host and port, for example `127.0.0.1:40001`.
   * @throws Error when the server does not listen
   */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** For example `http://127.0.0.1:40001`. */
  get origin(): string {
    return `http://${this.host}`;
  }

  get port(): number {
    const address = this.http.address();
    if (address === null || typeof address === "string") {
      throw new Error("the server does not listen; call listen first");
    }
    return address.port;
  }

  /** Starts to listen on a free port of the loopback interface. */
  async listen(): Promise<void> {
    this.http.listen(0, "127.0.0.1");
    await once(this.http, "listening");
  }

  /** Closes the server and its connections; one that does not listen is left as it is. */
  async close(): Promise<void> {
    this.http.closeAllConnections();
    if (!this.http.listening) return;
    this.http.close();
    await once(this.http, "close");
  }
}

async function answered(
  answer: LoopbackAnswer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const hungUp = new Promise<void>((resolve) => {
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) resolve();
    });
  });
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const { method = "", url: path = "/", headers } = incoming;
    await answer({ method, path, headers, body: Buffer.concat(chunks), hungUp }, outgoing);
  } catch (error) {
    if (error instanceof HangUp) incoming.socket.resetAndDestroy();
    else if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500).end(String(error));
  }
}
