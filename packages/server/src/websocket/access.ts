import type { IncomingMessage } from "node:http";
import type { MethodCaller } from "@openclaw/protocol";
import type { AccessLimits } from "../access/limits.js";

/** Decides who may connect. */
export interface ConnectionAccess {
  /** Limits of frames and of the handshake, from the configuration (GW-017). */
  readonly limits: Pick<
    AccessLimits,
    "frameBytes" | "handshakeFrameBytes" | "handshakeTimeoutMs" | "jsonDepth"
  >;
  /**
   * Checks the host and the origin of a request that is to become a connection (GW-015).
   * @param request - upgrade request
   * @returns IP address of the client
   * @throws OpenClawError when the request is rejected
   */
  admitUpgrade(request: IncomingMessage): string;
  /**
   * Returns the holder of a token.
   * @param token - token from `connect`; undefined when it has none
   * @param client - IP address and transport of the client
   * @throws OpenClawError of the kind `unauthenticated` or `rate-limited`
   */
  authenticate(
    token: string | undefined,
    client: { readonly address: string; readonly via: "websocket" },
  ): Promise<MethodCaller>;
}
