import { lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import type { Agent } from "undici";
import type { NetworkPolicy } from "./policy.js";

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
