import type { IncomingMessage } from "node:http";
import type { MethodCaller } from "@openclaw/protocol";

/** Rejected request to open a connection. */
export interface RejectedUpgrade {
  readonly status: number;
  readonly message: string;
}

/** Decides who may connect. */
export interface ConnectionAccess {
  /**
   * Checks the host, the origin and the address of a request before it becomes a connection (GW-015).
   * @param request - request to open a connection
   * @returns undefined when the request may become a connection
   */
  reject(request: IncomingMessage): RejectedUpgrade | undefined;
  /**
   * Returns the holder of a token.
   * @param token - token from `connect`
   * @param address - IP address of the client
   * @throws OpenClawError of the kind `unauthenticated` or `rate-limited`
   */
  authenticate(token: string, address: string): Promise<Omit<MethodCaller, "via">>;
}
