import type { IncomingMessage } from "node:http";
import { METHOD_SCOPES } from "@openclaw/protocol";
import { HandshakeError } from "../errors.js";
import { tokenMatches } from "../http/token-comparison.js";
import type { ConnectionAccess } from "./access.js";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Returns the access of a gateway with one token: loopback hosts, pages of the gateway itself, and every scope for the
 * holder of the token.
 * @param token - token of the gateway
 */
export function tokenAccess(token: string): ConnectionAccess {
  return {
    admitUpgrade(request) {
      rejectForeign(request);
      return request.socket.remoteAddress ?? "";
    },
    async authenticate(presented, { via }) {
      if (tokenMatches(presented, token)) return { id: "gateway", scopes: METHOD_SCOPES, via };
      throw new HandshakeError(
        "the token is wrong; send the gateway's token, which is stored in gateway.token of the state folder",
      );
    },
  };
}

function rejectForeign({ headers }: IncomingMessage): void {
  const { host = "", origin } = headers;
  if (!LOOPBACK.has(host.toLowerCase().replace(/:\d+$/, ""))) {
    throw new HandshakeError("this gateway accepts only loopback host names");
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new HandshakeError("this gateway accepts no connections from other origins");
  }
}
