import type { GatewaySection } from "@openclaw/configuration";
import { systemClock } from "@openclaw/foundation";
import { type AccessOptions, GatewayAccess, ListenAddressError } from "@openclaw/server";
import { loadGatewayToken, MINIMUM_TOKEN_LENGTH } from "../state/token.js";
import { listenAddressOf } from "./listen-address.js";

/**
 * Creates the access of a gateway from its configuration.
 * @param section - section `gateway` of the configuration
 * @param dependencies - file with the gateway's token, token of commands, log, store of a node, and failed attempts of an earlier listener
 * @throws ListenAddressError when it would listen beyond loopback without a usable token
 * @throws StateFolderError when the token cannot be read or created
 */
export function createAccess(
  section: GatewaySection,
  {
    tokenFile,
    ...dependencies
  }: { readonly tokenFile: string } & Pick<
    AccessOptions,
    "logger" | "failures" | "localToken" | "store"
  >,
): GatewayAccess {
  const {
    auth = {},
    publicUrl,
    trustedHosts = [],
    allowedOrigins,
    trustedProxies,
    limits,
  } = section;
  const { tokens, requestsPerMinute, chatSendsPerMinute } = auth;
  return new GatewayAccess({
    token: tokenOf(section, tokenFile),
    tokens,
    trustedHosts:
      publicUrl === undefined ? trustedHosts : [...trustedHosts, new URL(publicUrl).host],
    allowedOrigins,
    trustedProxies,
    limits,
    ownRates: { requestsPerMinute, chatSendsPerMinute },
    clock: systemClock,
    now: Date.now,
    ...dependencies,
  });
}

function tokenOf({ bind, auth }: GatewaySection, tokenFile: string): string {
  const { hostname, isLoopback } = listenAddressOf(bind);
  try {
    const token = auth?.token ?? loadGatewayToken(tokenFile);
    if (token.length >= MINIMUM_TOKEN_LENGTH) return token;
    throw new TypeError(`gateway.auth.token has fewer than ${MINIMUM_TOKEN_LENGTH} characters`);
  } catch (cause) {
    if (isLoopback || !(cause instanceof Error)) throw cause;
    const problem = `every machine in the network could reach it, and it has no usable token (${cause.message}); correct the token, or set gateway.bind to "loopback"`;
    throw new ListenAddressError(hostname, problem, cause);
  }
}
