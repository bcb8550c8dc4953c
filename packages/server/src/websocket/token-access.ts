import type { IncomingMessage } from "node:http";
import { METHOD_SCOPES } from "@openclaw/protocol";
import { HandshakeError } from "../errors.js";
import { tokenMatches } from "../http/token-comparison.js";
import type { ConnectionAccess, RejectedUpgrade } from "./access.js";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Returns the access of a gateway with one token: loopback hosts, pages of the gateway itself, and every scope for the
 * holder of the token.
 * @param token - token of the gateway
 */
export function tokenAccess(token: string): ConnectionAccess {
  return {
    reject: rejectForeign,
    async authenticate(presented) {
      if (tokenMatches(presented, token)) return { id: "gateway", scopes: METHOD_SCOPES };
      throw new HandshakeError(
        "the token is wrong; send the gateway's token, which is stored in gateway.token of the state folder",
      );
    },
  };
}

function rejectForeign({ headers }: IncomingMessage): RejectedUpgrade | undefined {
  const { host = "", origin } = headers;
  const name = host.toLowerCase().replace(/:\d+$/, "");
  if (!LOOPBACK.has(name)) {
    return { status: 403, message: "this gateway accepts only loopback host names" };
  }
  if (origin === undefined || origin === `http://${host}`) return undefined;
  return { status: 403, message: "this gateway accepts no connections from other origins" };
}
