import type { IncomingMessage } from "node:http";
import type { MethodCaller } from "@openclaw/protocol";

/** Decides who may connect. */
export interface ConnectionAccess {
  /**
   * Checks the host and the origin of a request that is to become a connection (GW-015).
   * @param request - upgrade request
   * @returns IP address of the client
   * @throws OpenClawError when the request is rejected
   */
  admitUpgrade(request: IncomingMessage): string;
  /**
   * Returns the holder of a token.
   * @param token - token from `connect`
   * @param client - IP address and transport of the client
   * @throws OpenClawError of the kind `unauthenticated` or `rate-limited`
   */
  authenticate(
    token: string,
    client: { readonly address: string; readonly via: "websocket" },
  ): Promise<MethodCaller>;
}
