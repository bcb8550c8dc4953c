import { errorMessage, isRecord, SlidingWindow } from "@openclaw/plugin-sdk/kit";
import type { HttpCapability } from "../capabilities/capabilities.js";
import { checkEndpoint } from "../capabilities/endpoint.js";
import { injectCredentials } from "./credential-injection.js";
import { HttpFailure } from "./http-failure.js";

/** Functions of the host that the boundary uses. */
export interface BoundaryHost {
  /** Checks a URL by the network rules of the host; throws when it is denied. */
  checkUrl(url: string): URL;
  /** Sends a request within the network check of the host. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Returns the value of a secret. */
  secret(name: string): Promise<string | undefined>;
  /**
   * Returns the value of a secret that was refreshed, after a service answered 401; undefined when it cannot be.
   * @param rejected - value that was sent
   */
  refreshedSecret?(name: string, rejected: string): Promise<string | undefined>;
  /** Returns the places of secrets in a text, by the rules in force. */
  findSecrets(text: string): readonly { readonly start: number; readonly end: number }[];
  now(): number;
}

/** Arguments of `http-request`. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headersJson: string;
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number | undefined;
}

/** Response as a component receives it. */
export interface HttpResponse {
  readonly status: number;
  readonly headersJson: string;
  readonly body: Uint8Array;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Headers that the host decides. */
const HEADERS_OF_HOST =
  /^(?:host|content-length|connection|transfer-encoding|upgrade|te|trailer|proxy-.*)$/i;
/** Headers of responses that components do not receive. */
const HIDDEN_HEADERS = new Set([
  ...["set-cookie", "set-cookie2", "authorization", "www-authenticate"],
  ...["proxy-authenticate", "authentication-info", "proxy-authorization"],
]);

/** Sends the requests of one component, by the rules of its capabilities (WASM-027). */
export class HttpBoundary {
  readonly #http: HttpCapability;
  readonly #host: BoundaryHost;
  readonly #perMinute: SlidingWindow;
  readonly #perHour: SlidingWindow;

  constructor(http: HttpCapability, host: BoundaryHost) {
    this.#http = http;
    this.#host = host;
    this.#perMinute = new SlidingWindow(http.rateLimit.perMinute, 60_000);
    this.#perHour = new SlidingWindow(http.rateLimit.perHour, 3_600_000);
  }

  /**
   * Returns the function `http-request` of one execution.
   * @param maximum - requests that the execution may send
   */
  execution(
    maximum: number,
  ): (request: HttpRequest, signal?: AbortSignal) => Promise<HttpResponse> {
    let sent = 0;
    return async (request, signal) => {
      const decision = this.#allowed(request);
      sent += 1;
      if (sent > maximum) {
        throw new HttpFailure(
          "client",
          "TooManyRequests",
          `more than ${maximum} requests in one call`,
        );
      }
      this.#countRate();
      return await this.#send(request, decision, signal);
    };
  }

  #allowed({ url, method }: HttpRequest): URL {
    if (!METHODS.has(method.toUpperCase())) {
      throw new HttpFailure(
        "input",
        "InvalidMethod",
        `the method ${method.slice(0, 20)} is not supported`,
      );
    }
    const decision = checkEndpoint(url, method, this.#http.allowlist, {
      allowHttp: this.#isExempt(url),
    });
    if (decision.isAllowed) return decision.url;
    throw new HttpFailure(
      decision.reason === "InvalidUrl" ? "input" : "network-denied",
      decision.reason,
      "the capabilities of the component do not allow this request",
    );
  }

  /** Plain HTTP is only for hosts that the operator exempts. */
  #isExempt(url: string): boolean {
    try {
      return this.#host.checkUrl(url).protocol === "http:";
    } catch {
      return false;
    }
  }

  #countRate(): void {
    const now = this.#host.now();
    for (const window of [this.#perMinute, this.#perHour]) {
      const decision = window.take("", now);
      if (!decision.isAllowed) {
        const seconds = Math.ceil(decision.waitMs / 1000);
        throw new HttpFailure("client", "RateLimited", `try again in ${seconds} s`);
      }
    }
  }

  async #send(
    request: HttpRequest,
    target: URL,
    signal: AbortSignal | undefined,
  ): Promise<HttpResponse> {
    const { url, body } = request;
    const headers = headersOf(request.headersJson);
    const size = body?.length ?? 0;
    if (size > this.#http.maxRequestBytes) {
      throw new HttpFailure(
        "input",
        "RequestTooLarge",
        `the body has ${size} bytes, more than ${this.#http.maxRequestBytes}`,
      );
    }
    if (this.#hasSecret(url, headers, body)) {
      throw new HttpFailure(
        "network-denied",
        "SecretInRequest",
        "the request contains what looks like a secret",
      );
    }
    const attempt = async (secretOf: (name: string) => Promise<string | undefined>) => {
      const injected = await injectCredentials(
        { url, headers },
        target.hostname,
        this.#http.credentials,
        secretOf,
      );
      return { injected, response: await this.#fetch(request, injected, signal) };
    };
    let { injected, response } = await attempt((name) => this.#host.secret(name));
    const refresh = this.#host.refreshedSecret?.bind(this.#host);
    if (response.status === 401 && refresh !== undefined) {
      const values = new Map<string, string>();
      for (const [name, rejected] of injected.secrets) {
        const value = await refresh(name, rejected);
        if (value !== undefined) values.set(name, value);
      }
      if (values.size > 0) {
        ({ injected, response } = await attempt(
          async (name) => values.get(name) ?? (await this.#host.secret(name)),
        ));
      }
    }
    return this.#passed(response, injected.secrets);
  }

  async #fetch(
    { method, body, timeoutMs }: HttpRequest,
    { url, headers, secrets }: Awaited<ReturnType<typeof injectCredentials>>,
    signal: AbortSignal | undefined,
  ): Promise<{ status: number; headers: Headers; body: Uint8Array }> {
    const limit = Math.min(timeoutMs ?? this.#http.timeoutMs, this.#http.timeoutMs);
    const timeout = AbortSignal.timeout(limit);
    try {
      const response = await this.#host.fetch(url, {
        method: method.toUpperCase(),
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        redirect: "manual",
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        ...(body === undefined ? {} : { body: body }),
      });
      const { status } = response;
      return { status, headers: response.headers, body: await this.#read(response) };
    } catch (error) {
      if (error instanceof HttpFailure) throw error;
      const text = scrub(errorMessage(error), secrets);
      if (isRecord(error) && "code" in error && error.code === "NETWORK_DENIED") {
        throw new HttpFailure("network-denied", "AddressDenied", text);
      }
      if (timeout.aborted)
        throw new HttpFailure("operation-failed", "Timeout", `no answer in ${limit} ms`, true);
      throw new HttpFailure("operation-failed", "RequestFailed", text, true);
    }
  }

  async #read(response: Response): Promise<Uint8Array> {
    const { maxResponseBytes: maximum } = this.#http;
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > maximum) {
        throw new HttpFailure(
          "output-too-large",
          "ResponseTooLarge",
          `the response has more than ${maximum} bytes`,
          true,
        );
      }
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  #passed(
    { status, headers, body }: { status: number; headers: Headers; body: Uint8Array },
    secrets: ReadonlyMap<string, string>,
  ): HttpResponse {
    const passed: Record<string, string> = {};
    for (const [name, value] of headers) {
      if (!HIDDEN_HEADERS.has(name)) passed[name] = this.#redact(scrub(value, secrets));
    }
    return { status, headersJson: JSON.stringify(passed), body: this.#scrubbedBody(body, secrets) };
  }

  #hasSecret(
    url: string,
    headers: readonly (readonly [string, string])[],
    body: Uint8Array | undefined,
  ): boolean {
    const texts = [url, ...headers.map(([, value]) => value), new TextDecoder().decode(body)];
    return texts.some((text) => this.#host.findSecrets(text).length > 0);
  }

  /** Returns a text without the secrets that the rules find. */
  #redact(text: string): string {
    let clean = "";
    let end = 0;
    for (const place of this.#host.findSecrets(text)) {
      if (place.start < end) continue;
      clean += `${text.slice(end, place.start)}[REDACTED]`;
      end = place.end;
    }
    return clean + text.slice(end);
  }

  #scrubbedBody(body: Uint8Array, secrets: ReadonlyMap<string, string>): Uint8Array {
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    } catch {
      // Bytes that are no text: each value is searched as Latin-1, which keeps all bytes.
      const latin = Buffer.from(body).toString("latin1");
      const bytes = new Map(
        [...secrets].map(([name, value]) => [name, Buffer.from(value).toString("latin1")]),
      );
      const clean = scrub(latin, bytes);
      return clean === latin ? body : Buffer.from(clean, "latin1");
    }
    const clean = this.#redact(scrub(text, secrets));
    return clean === text ? body : new TextEncoder().encode(clean);
  }
}

function headersOf(text: string): readonly (readonly [string, string])[] {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isRecord(value)) throw invalidHeaders("the headers are not a JSON object");
  return Object.entries(value).map(([name, header]) => {
    if (typeof header !== "string")
      throw invalidHeaders(`the header ${name.slice(0, 40)} is not a string`);
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\r\n\0]/.test(header)) {
      throw invalidHeaders("a header has characters that are not allowed");
    }
    if (HEADERS_OF_HOST.test(name)) throw invalidHeaders(`the header ${name} is set by the host`);
    return [name, header] as const;
  });
}

function invalidHeaders(problem: string): HttpFailure {
  return new HttpFailure("input", "InvalidHeaders", problem);
}

/** Replaces the values of secrets, as they are and as they are written in URLs. */
function scrub(text: string, secrets: ReadonlyMap<string, string>): string {
  let clean = text;
  for (const [name, value] of secrets) {
    if (value === "") continue;
    for (const form of new Set([value, encodeURIComponent(value)])) {
      clean = clean.replaceAll(form, `[REDACTED:${name}]`);
    }
  }
  return clean;
}
