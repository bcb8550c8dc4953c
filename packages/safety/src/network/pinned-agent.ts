import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction, type Socket } from "node:net";
import type { Agent, buildConnector } from "undici";
import { NetworkDeniedError } from "./errors.js";
import type { NetworkPolicy } from "./policy.js";
import { currentProxyRules } from "./proxy/process.js";
import { openTunnel, startTls } from "./proxy/tunnel.js";

/** Address of a host; the family is 4 or 6. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Returns all addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/**
 * Creates an undici agent that connects to checked addresses only. A host is resolved once per
 * connection, every address found must be public, and the socket connects to one of them: a second
 * answer of the resolver (DNS rebinding) has no effect. The literal host is checked here as well,
 * because a socket does not resolve literal addresses.
 * @param policy - decides which hosts and addresses are allowed
 * @param resolveHost - resolver of host names; default the resolver of the system
 */
export async function createPinnedAgent(
  policy: NetworkPolicy,
  resolveHost: ResolveHost = resolveAll,
): Promise<Agent> {
  const { Agent, buildConnector } = await import("undici");
  const checkedLookup = lookupWith(async (hostname) => {
    const addresses = await resolveHost(hostname);
    policy.assertAddresses(
      hostname,
      addresses.map(({ address }) => address),
    );
    return addresses;
  });
  const checkedConnector = buildConnector({ lookup: checkedLookup });
  const exemptConnector = buildConnector({ lookup: lookupWith(resolveHost) });
  return new Agent({
    connect: (options, callback) => {
      const proxy = currentProxyRules()?.proxyOf(options);
      if (proxy !== undefined) {
        connectThrough(proxy, options, policy, resolveHost).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        );
        return;
      }
      if (policy.isExempt(options)) return exemptConnector(options, callback);
      try {
        policy.assertLiteral(options.hostname);
      } catch (error) {
        return callback(error instanceof Error ? error : new Error(String(error)), null);
      }
      return checkedConnector(options, callback);
    },
  });
}

/**
 * Connects through a proxy. The proxy is given an address that was checked here, not the name, so that it cannot resolve
 * the name to another one; the certificate is still that of the name. Only a host of `allowHosts` goes by its name.
 */
async function connectThrough(
  proxy: URL,
  { protocol, hostname, port, servername }: buildConnector.Options,
  policy: NetworkPolicy,
  resolveHost: ResolveHost,
): Promise<Socket> {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  const isExempt = policy.isExempt({ protocol, hostname, port });
  const host = isExempt ? name : await checkedAddress(name, policy, resolveHost);
  const isSecure = protocol === "https:";
  const socket = await openTunnel({ proxy, host, port: Number(port || (isSecure ? 443 : 80)) });
  return isSecure ? await startTls(socket, servername || name) : socket;
}

async function checkedAddress(
  hostname: string,
  policy: NetworkPolicy,
  resolveHost: ResolveHost,
): Promise<string> {
  policy.assertLiteral(hostname);
  if (isIP(hostname) !== 0) return hostname;
  let found: readonly ResolvedAddress[];
  try {
    found = await resolveHost(hostname);
  } catch (cause) {
    throw new NetworkDeniedError(
      "forbidden-address",
      `The host ${hostname} cannot be resolved on this machine, so its address cannot be checked before the proxy connects to it. If it is to be trusted, add "${hostname}:443" to tools.http.allowHosts.`,
      { cause },
    );
  }
  const addresses = found.map(({ address }) => address);
  policy.assertAddresses(hostname, addresses);
  return addresses[0] ?? hostname;
}

/** Adapts a resolver to the lookup callback of a socket. */
function lookupWith(resolveHost: ResolveHost): LookupFunction {
  return (hostname, { all }, callback) => {
    const resolved = resolveHost(hostname);
    resolved.then(
      ([first, ...others]) => {
        if (first === undefined) {
          callback(new Error(`The host ${hostname} has no address.`), "");
        } else if (all) {
          callback(null, [first, ...others]);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

async function resolveAll(hostname: string): Promise<ResolvedAddress[]> {
  return await systemLookup(hostname, { all: true });
}
