import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Port that is tried first, which some services want to know in advance (HOST-018). */
const PREFERRED_PORT = 9876;
const PATH = "/oauth/callback";

/** Text for the person in the browser. */
export interface CallbackAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Passes the query of a callback on.
 * @param query - query of the callback URL
 */
export type PassCallback = (query: string) => Promise<CallbackAnswer>;

/** Listener on the loopback interface, to which the browser returns from a login. */
export class LoginListener implements AsyncDisposable {
  /** URL to which the browser returns. */
  readonly redirectUri: string;
  readonly #server: Server;

  private constructor(server: Server) {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : PREFERRED_PORT;
    this.redirectUri = `http://127.0.0.1:${port}${PATH}`;
    this.#server = server;
  }

  /**
   * Listens on port 9876, or on a free one when another program has it.
   * @param pass - receives callbacks
   */
  static async open(pass: PassCallback): Promise<LoginListener> {
    const server = createServer((request, response) => {
      answer(request, response, pass).catch(() => response.destroy());
    });
    try {
      await listen(server, PREFERRED_PORT);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      await listen(server, 0);
    }
    return new LoginListener(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeIdleConnections();
    await closed;
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

async function answer(
  { method, url = "/" }: IncomingMessage,
  response: ServerResponse,
  pass: PassCallback,
): Promise<void> {
  const { pathname, search } = new URL(url, "http://127.0.0.1");
  const isCallback = method === "GET" && pathname === PATH;
  const { status, text } = isCallback
    ? await pass(search.slice(1))
    : { status: 404, text: "This address is for the end of a login only." };
  // Plain text, so that nothing in it is markup; the URL contains the code of the login.
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    Connection: "close",
  });
  const sent = once(response, "close");
  response.end(`${text}\n`);
  await sent;
}
