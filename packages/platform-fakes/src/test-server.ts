import type { IncomingHttpHeaders } from "node:http";
import { LoopbackServer } from "./loopback-server.js";

/** Response of a test server. */
export interface TestServerAnswer {
  readonly body: string;
  /** For example `text/event-stream`; `application/json` when absent. */
  readonly contentType?: string;
  /** 200 when absent. */
  readonly status?: number;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request received by a test server. */
export interface TestServerRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed when it is JSON, else its text; an empty string when there is none. */
  readonly body: unknown;
}

/** A server on a free port of the loopback interface. */
export interface TestServer extends AsyncDisposable {
  /** For example `http://127.0.0.1:40001`. */
  readonly origin: string;
  /** Every request so far, in order. */
  readonly requests: readonly TestServerRequest[];
  /** Closes the server and its connections. */
  close(): Promise<void>;
}

/**
 * Starts a server for tests of plugins that connect to one.
 * @param answer - response to every request, or a function of the request
 */
export async function startTestServer(
  answer: TestServerAnswer | ((request: TestServerRequest) => TestServerAnswer),
): Promise<TestServer> {
  const requests: TestServerRequest[] = [];
  const server = new LoopbackServer(({ method, path, headers, body: bytes }, outgoing) => {
    const request = { method, path, headers, body: parsed(bytes.toString()) };
    requests.push(request);
    const given = typeof answer === "function" ? answer(request) : answer;
    const { body, contentType = "application/json", status = 200, headers: more } = given;
    outgoing.writeHead(status, { "content-type": contentType, ...more });
    outgoing.end(body);
  });
  await server.listen();
  const close = () => server.close();
  return {
    origin: server.origin,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
