import { type ErrorKind, OpenClawError } from "@openclaw/foundation";

/** Rule of the network check that a request broke. */
export type NetworkDenialReason =
  | "invalid-url"
  | "insecure-scheme"
  | "credentials-in-url"
  | "forbidden-host"
  | "forbidden-address"
  | "too-many-redirects"
  | "too-large";

const KINDS: Partial<Record<NetworkDenialReason, ErrorKind>> = {
  "invalid-url": "invalid",
  "too-large": "too-large",
};

/** A request, or its response, broke a rule of the network check (SAFE-050). */
export class NetworkDeniedError extends OpenClawError {
  static override readonly code = "NETWORK_DENIED";
  static override readonly kind: ErrorKind = "forbidden";
  readonly reason: NetworkDenialReason;

  /**
   * @param reason - rule that was broken
   * @param message - description of the problem and its solution, without credentials of the URL
   * @param options - `cause` is the underlying error
   */
  constructor(reason: NetworkDenialReason, message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause, kind: KINDS[reason] });
    this.reason = reason;
  }
}

/** The proxy of the environment did not open a connection. */
export class ProxyConnectionError extends OpenClawError {
  static override readonly code = "PROXY_CONNECTION_FAILED";
  static override readonly kind = "unavailable";

  /**
   * @param proxy - URL of the proxy without its credentials
   * @param target - host and port of the request
   * @param problem - continues "did not connect to <target>: "
   * @param cause - error of the connection
   */
  constructor(proxy: string, target: string, problem: string, cause?: unknown) {
    super(
      `The proxy ${proxy} did not connect to ${target}: ${problem}. Check the proxy, or add the host to NO_PROXY.`,
      { cause },
    );
  }
}

/** An entry of `tools.http.allowHosts` is not `host:port`. */
export class AllowedHostError extends OpenClawError {
  static override readonly code = "ALLOWED_HOST_INVALID";
  static override readonly kind: ErrorKind = "configuration";
  /** Description of the problem, without the name of the option. */
  readonly problem: string;

  /** @param entry - entry as written */
  constructor(entry: string) {
    const problem = `has the entry ${JSON.stringify(entry)}; expected host:port, for example 127.0.0.1:8080`;
    super(`allowHosts ${problem}`);
    this.problem = problem;
  }
}
