import type { Agent } from "undici";
import { NetworkDeniedError } from "./errors.js";
import { createPinnedAgent, type ResolveHost } from "./pinned-agent.js";
import { NetworkPolicy, type NetworkPolicyOptions } from "./policy.js";
import { type NetworkHop, redirectedHop, redirectLocation } from "./redirect.js";

/** Maximum number of redirects that are followed (SAFE-050). */
const MAX_REDIRECTS = 3;
/** Maximum size of a decoded response body, in bytes (SAFE-050). */
const MAX_RESPONSE_BYTES = 5_000_000;

/** Options of {@link NetworkClient}. */
export interface NetworkClientOptions extends NetworkPolicyOptions {
  /** Resolver of host names; default the resolver of the system. */
  readonly resolveHost?: ResolveHost | undefined;
}

/** Options of one request. */
export interface NetworkFetchOptions {
  /**
   * Called before each hop is sent, after its URL passed the check. Throws to deny the hop, and may return headers
   * that are added to this hop only.
   */
  readonly beforeHop?:
    | ((
        hop: NetworkHop,
      ) =>
        | undefined
        | Readonly<Record<string, string>>
        | Promise<undefined | Readonly<Record<string, string>>>)
    | undefined;
  /** Sends one request without following redirects; default a connection to a checked address. */
  readonly send?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * Sends HTTP requests within the network check, which is the only one of this project: tools,
 * plugins and all other code that requests a URL use it (SAFE-050). {@link NetworkPolicy} checks
 * each hop, the connection is pinned to a checked address, at most 3 redirects are followed, and at
 * most 5 MB are read. undici is loaded with the first request.
 */
export class NetworkClient {
  readonly #policy: NetworkPolicy;
  readonly #resolveHost: ResolveHost | undefined;
  #agent: Promise<Agent> | undefined;
  /** Exemptions that the connections of the agent were opened with. */
  #agentExemptions: ReadonlySet<string> | undefined;

  /**
   * @param options - exemptions and resolver
   * @throws AllowedHostError when an entry of `allowHosts` is not `host:port`
   */
  constructor(options: NetworkClientOptions = {}) {
    this.#policy = new NetworkPolicy(options);
    this.#resolveHost = options.resolveHost;
  }

  /**
   * Checks a URL as a request would, without sending one.
   * @param url - absolute URL
   * @returns the URL in its canonical spelling
   * @throws NetworkDeniedError
   */
  checkUrl(url: string | URL): URL {
    return this.#policy.checkUrl(url);
  }

  /**
   * Fetches like the global function, within the network check. Reading the body of a response of more than 5 MB
   * fails with a NetworkDeniedError.
   * @param input - URL or request
   * @param init - as for `fetch`
   * @param options - checks of the caller
   * @throws NetworkDeniedError, an error of `beforeHop`, the reason of the signal when it aborts, or TypeError when
   * the request cannot be sent
   */
  async fetch(
    input: string | URL | Request,
    init?: RequestInit,
    { beforeHop, send }: NetworkFetchOptions = {},
  ): Promise<Response> {
    // Checked first, because the error of Request would contain the complete URL with its
    // credentials.
    const first = this.#policy.checkUrl(input instanceof Request ? input.url : input);
    const request = new Request(input, init);
    const { signal, redirect } = request;
    let hop: NetworkHop = { url: first, ...(await partsOf(request)) };
    for (let redirects = 0; ; redirects += 1) {
      const added = await beforeHop?.(hop);
      const headers = new Headers(hop.headers);
      for (const [name, value] of Object.entries(added ?? {})) headers.set(name, value);
      const outbound = { ...hop, headers };
      const response =
        send === undefined
          ? await this.#send(outbound, signal)
          : await send(requestOf(outbound, signal));
      const location = redirectLocation(response);
      if (location === undefined || redirect === "manual") {
        return limited(response, hop.url, redirects > 0);
      }
      await response.body?.cancel();
      if (redirect === "error") {
        throw new TypeError(
          `fetch failed: ${hop.url.origin} redirects, which the request does not allow`,
        );
      }
      if (redirects === MAX_REDIRECTS) {
        throw new NetworkDeniedError(
          "too-many-redirects",
          `${first.origin}${first.pathname} redirects more than ${MAX_REDIRECTS} times, the last time to ${location}. Request that URL directly if it is the right one.`,
        );
      }
      hop = redirectedHop(hop, this.#policy.checkUrl(location, hop.url), response.status);
    }
  }

  /** Closes idle and open connections; a later request opens new ones. */
  async close(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    await (await agent)?.destroy();
  }

  /** A connection that was opened under other exemptions is not used again. */
  #currentAgent(): Promise<Agent> {
    const { exemptions } = this.#policy;
    if (this.#agent === undefined || this.#agentExemptions !== exemptions) {
      // Requests in progress end on the earlier agent.
      void this.#agent?.then((agent) => agent.close());
      this.#agent = createPinnedAgent(this.#policy, this.#resolveHost);
      this.#agentExemptions = exemptions;
    }
    return this.#agent;
  }

  async #send({ url, method, headers, body }: NetworkHop, signal: AbortSignal): Promise<Response> {
    const { fetch } = await import("undici");
    const dispatcher = await this.#currentAgent();
    try {
      // The fetch of undici, not of Node: Node accepts no dispatcher of another version of undici.
      const response = await fetch(url, {
        method,
        headers: [...headers],
        body: body ?? null,
        signal,
        dispatcher,
        redirect: "manual",
      });
      const { status, statusText } = response;
      return new Response(response.body, { status, statusText, headers: [...response.headers] });
    } catch (error) {
      throw denialIn(error) ?? error;
    }
  }
}

async function partsOf(request: Request): Promise<Omit<NetworkHop, "url">> {
  const { method, headers, body } = request;
  // Read completely, because a redirect may require the same body again.
  return {
    method,
    headers,
    body: body === null ? undefined : new Uint8Array(await request.arrayBuffer()),
  };
}

function requestOf({ url, method, headers, body }: NetworkHop, signal: AbortSignal): Request {
  return new Request(url, { method, headers, body: body ?? null, signal, redirect: "manual" });
}

/** Copies a response so that its body fails after 5 MB and its URL is the one of the last hop. */
function limited(response: Response, url: URL, redirected: boolean): Response {
  const { status, statusText, headers } = response;
  const body = response.body?.pipeThrough(byteLimit(url)) ?? null;
  const copy = new Response(body, { status, statusText, headers });
  const [href = ""] = url.href.split("#", 1);
  // A constructed response has no URL and no parameter to set one.
  return Object.defineProperties(copy, { url: { value: href }, redirected: { value: redirected } });
}

function byteLimit(url: URL): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size <= MAX_RESPONSE_BYTES) controller.enqueue(chunk);
      else {
        controller.error(
          new NetworkDeniedError(
            "too-large",
            `${url.origin}${url.pathname} is larger than ${MAX_RESPONSE_BYTES} bytes, the maximum that is read. Request a smaller resource, or a part of it.`,
          ),
        );
      }
    },
  });
}

/** Finds the denial that a connection failed with; undici wraps it in a TypeError. */
function denialIn(error: unknown): NetworkDeniedError | undefined {
  for (let cause = error; cause instanceof Error; cause = nextCause(cause)) {
    if (NetworkDeniedError.isInstance(cause)) return cause;
  }
  return undefined;
}

/** Connection attempts to several addresses fail with an AggregateError. */
function nextCause(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause;
}
