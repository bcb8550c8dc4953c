import { type ClientListener, listenForHost, loadGatewayToken } from "@openclaw/gateway";
import type { TestRequest } from "./test-host.js";

/** Dependencies of {@link TestRequests}. */
export type TestRequestsDependencies = Parameters<typeof listenForHost>[0] & {
  /** Aborts when the host is disposed of. */
  readonly signal: AbortSignal;
};

/** HTTP requests to a test host, whose listener starts at the first one. */
export class TestRequests {
  readonly #dependencies: TestRequestsDependencies;
  #listener: Promise<ClientListener> | undefined;

  /** @param dependencies - host, and what its listener needs */
  constructor(dependencies: TestRequestsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Sends a request.
   * @param path - path with a leading slash, and query
   * @param request - method, headers and body
   * @throws TypeError when the path does not begin with a slash
   */
  async send(path: string, { authenticated = true, ...init }: TestRequest = {}): Promise<Response> {
    if (!path.startsWith("/")) {
      throw new TypeError(`request(${JSON.stringify(path)}) needs a path that begins with a slash`);
    }
    const { port, host } = await this.start();
    const { tokenFile, configuration, signal } = this.#dependencies;
    const headers = new Headers(init.headers);
    if (authenticated && !headers.has("authorization")) {
      const token = configuration.gateway?.auth?.token ?? loadGatewayToken(tokenFile);
      headers.set("authorization", `Bearer ${token}`);
    }
    // Written as a string, because `new URL(path, base)` reads `//other` as another host.
    return fetch(`http://${host}:${port}${path}`, {
      ...init,
      headers,
      signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
    });
  }

  /** Starts the listener, once. */
  start(): Promise<ClientListener> {
    this.#listener ??= listenForHost(this.#dependencies);
    return this.#listener;
  }

  /**
   * Closes the listener, if it was started.
   * @param args - reason and time, as of the gateway
   */
  async close(...args: Parameters<ClientListener["close"]>): Promise<void> {
    await (await this.#listener)?.close(...args);
  }
}
