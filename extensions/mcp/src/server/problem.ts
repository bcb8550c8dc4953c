import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { errorMessage } from "@openclaw/plugin-sdk/kit";

/** Reason why a connection or a call failed. */
export class ConnectionProblem extends Error {
  /**
   * @param message - end of a sentence that begins with the server
   * @param kind - `refused` when a repeated attempt would fail too; `legacy` when the server ended at the version probe; `session` when an HTTP server has forgotten the session; `scope` when it asks for more permissions
   * @param cause - the underlying error
   */
  constructor(
    message: string,
    readonly kind: "failed" | "refused" | "legacy" | "session" | "scope",
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * Returns an error of the library as the reason why a connection or a call failed.
 * @param error - error of the library
 * @param end - reason why the connection ended on its own
 */
export function problemOf(error: unknown, end?: string): ConnectionProblem {
  const own = ownProblem(error);
  if (own !== undefined) return own;
  const message = errorMessage(error);
  if (error instanceof SdkHttpError) {
    const { status } = error.data;
    if (status === 401 || status === 403) {
      const hint = `did not accept the credentials (HTTP ${status}); log in with \`openclaw mcp auth\`, or set its header Authorization`;
      return new ConnectionProblem(hint, "refused", error);
    }
    if (status === 404) {
      return new ConnectionProblem("answered HTTP 404", "session", error);
    }
    return new ConnectionProblem(`answered HTTP ${status}`, "failed", error);
  }
  if (error instanceof SdkError) {
    const { code } = error;
    if (code === SdkErrorCode.RequestTimeout) {
      return new ConnectionProblem("did not answer in time", "failed", error);
    }
    if (code === SdkErrorCode.EraNegotiationFailed && message.includes("closed")) {
      return new ConnectionProblem(end ?? "ended at the version probe", "legacy", error);
    }
    if (end !== undefined) return new ConnectionProblem(end, "failed", error);
    if (code === SdkErrorCode.ConnectionClosed) {
      return new ConnectionProblem("ended before it answered", "failed", error);
    }
    if (code === SdkErrorCode.InvalidResult || code === SdkErrorCode.UnsupportedResultType) {
      return new ConnectionProblem(`sent a result that is not valid (${message})`, "failed", error);
    }
  }
  if (end !== undefined) return new ConnectionProblem(end, "failed", error);
  if (/protocol version.*not supported/i.test(message)) {
    const reason = `speaks a protocol version that is not supported (${message})`;
    return new ConnectionProblem(reason, "refused", error);
  }
  if (isDenied(error)) {
    return new ConnectionProblem(`may not be reached (${causeOf(error)})`, "refused", error);
  }
  if (error instanceof ProtocolError) {
    return new ConnectionProblem(`answered with an error: ${message}`, "failed", error);
  }
  if (isUnreadable(error)) {
    return new ConnectionProblem("answered with something that is not MCP", "failed", error);
  }
  return new ConnectionProblem(`failed (${causeOf(error)})`, "failed", error);
}

/** An answer that is not JSON, or JSON of another form, about which the library says more than a model needs. */
function isUnreadable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof SyntaxError || error.name === "ZodError" || isUnreadable(error.cause);
}

/** The library may wrap an error of the tokens. */
function ownProblem(error: unknown): ConnectionProblem | undefined {
  if (error instanceof ConnectionProblem) return error;
  return error instanceof Error ? ownProblem(error.cause) : undefined;
}

/** A denial of the network check names the setting that allows the address, so that a new attempt needs a new setting. */
function isDenied(error: unknown): boolean {
  const isOwn = error instanceof Error && "code" in error && error.code === "NETWORK_DENIED";
  return isOwn || (error instanceof Error && isDenied(error.cause));
}

/** Returns the innermost message, because that of a request is only "fetch failed". */
function causeOf(error: unknown): string {
  let found = error;
  while (found instanceof Error && found.cause instanceof Error) found = found.cause;
  return found instanceof Error ? found.message : String(found);
}

/**
 * Returns true when a server did not answer in time.
 * @param error - error of the library
 */
export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}
