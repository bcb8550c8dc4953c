import { lookup } from "node:dns/promises";
import {
  classifyAddress,
  NetworkClient,
  NetworkDeniedError,
  NetworkPolicy,
} from "@openclaw/safety";

/** Exemptions from the check of addresses. */
export interface SsrFPolicy {
  /** Allows addresses that are not public. */
  readonly allowPrivateNetwork?: boolean;
  readonly dangerouslyAllowPrivateNetwork?: boolean;
  readonly allowRfc2544BenchmarkRange?: boolean;
  /** Host names that may have any address. */
  readonly allowedHostnames?: readonly string[];
}

/** Returns the addresses of a host name. */
export type LookupFn = (
  hostname: string,
  options: { readonly all: true },
) => Promise<readonly { readonly address: string }[]>;

/** Host name with the addresses that it had when it was checked. */
export interface PinnedHostname {
  readonly hostname: string;
  readonly addresses: readonly string[];
}

const PUBLIC = new NetworkPolicy();
const lookupAll: LookupFn = (hostname) => lookup(hostname, { all: true });

/**
 * Error of a request that the check of addresses denies.
 * @deprecated Use `api.runtime.fetch`, which throws it.
 */
export const SsrFBlockedError = NetworkDeniedError;

/**
 * Returns true for an IP address outside the public internet.
 * @param address - IPv4 or IPv6 address, with or without brackets
 * @deprecated Use `api.runtime.fetch`, which checks addresses.
 */
export function isPrivateIpAddress(address: string): boolean {
  const found = classifyAddress(address.replace(/^\[|\]$/g, ""));
  return found !== "public" && found !== "invalid";
}

/**
 * Returns true for the name of this machine or of a metadata service, and for an address that is not public.
 * @param host - host name or IP address, with or without brackets
 * @deprecated Use `api.runtime.fetch`, which checks hosts.
 */
export function isBlockedHostnameOrIp(host: string): boolean {
  try {
    PUBLIC.assertLiteral(host);
    return false;
  } catch {
    return true;
  }
}

/**
 * Resolves a host name and checks its addresses.
 * @param hostname - host name or IP address, with or without brackets
 * @param options - exemptions, a resolver, and a signal
 * @throws NetworkDeniedError when an address is not public and the policy allows no others
 * @deprecated Use `api.runtime.fetch`, which connects to checked addresses.
 */
export async function resolvePinnedHostnameWithPolicy(
  hostname: string,
  options: {
    readonly policy?: SsrFPolicy | undefined;
    readonly lookupFn?: LookupFn | undefined;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<PinnedHostname> {
  const { policy, lookupFn = lookupAll, signal } = options;
  signal?.throwIfAborted();
  const name = hostname.replace(/^\[|\]$/g, "");
  const isExempt = allowsPrivate(policy) || policy?.allowedHostnames?.includes(name) === true;
  if (!isExempt) PUBLIC.assertLiteral(name);
  const found = await lookupFn(name, { all: true });
  signal?.throwIfAborted();
  const addresses = found.map(({ address }) => address);
  if (!isExempt || addresses.length === 0) PUBLIC.assertAddresses(name, addresses);
  return { hostname: name, addresses };
}

/**
 * Checks that a URL without encryption leads to a private network, and that the operator allowed that.
 * @param url - URL; one of HTTPS passes
 * @param options - permission of the operator, text of the error, a resolver, and a signal
 * @throws Error with that text
 * @deprecated Use `api.runtime.fetch`, and let the operator list the host in `tools.http.allowHosts`.
 */
export async function assertHttpUrlTargetsPrivateNetwork(
  url: string,
  options: {
    readonly dangerouslyAllowPrivateNetwork?: boolean | null | undefined;
    readonly allowPrivateNetwork?: boolean | null | undefined;
    readonly errorMessage?: string | undefined;
    readonly lookupFn?: LookupFn | undefined;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<void> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "http:") return;
  const { errorMessage = "HTTP is allowed for private and loopback hosts only; use HTTPS" } =
    options;
  const isAllowed = options.dangerouslyAllowPrivateNetwork ?? options.allowPrivateNetwork;
  if (isAllowed !== true) throw new Error(errorMessage);
  const { lookupFn, signal } = options;
  const policy = { allowPrivateNetwork: true };
  const { addresses } = await resolvePinnedHostnameWithPolicy(hostname, {
    ...{ policy, lookupFn, signal },
  });
  if (!addresses.every(isPrivateIpAddress)) throw new Error(errorMessage);
}

/**
 * Sends a request within the check of addresses.
 * @param options - URL, request, exemptions for its host, and time in milliseconds
 * @returns the response, its URL, and a function that gives the connection back
 * @throws NetworkDeniedError
 * @deprecated Use `api.runtime.fetch`.
 */
export async function fetchWithSsrFGuard(options: {
  readonly url: string;
  readonly init?: RequestInit | undefined;
  readonly policy?: SsrFPolicy | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}): Promise<{ response: Response; finalUrl: string; release(): Promise<void> }> {
  const { url, init, policy, timeoutMs, signal } = options;
  const target = new URL(url);
  const isExempt =
    allowsPrivate(policy) || policy?.allowedHostnames?.includes(target.hostname) === true;
  const client = isExempt ? clientFor(target) : new NetworkClient();
  const deadline = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [signal, init?.signal, deadline].filter((each) => each != null);
  const response = await client.fetch(url, { ...init, signal: AbortSignal.any(signals) });
  const release = async () => {
    if (!response.bodyUsed) await response.body?.cancel();
  };
  return { response, finalUrl: response.url, release };
}

/** Client that may also reach one host that is not public. */
function clientFor({ protocol, hostname, port }: URL): NetworkClient {
  const open = port === "" ? (protocol === "http:" ? "80" : "443") : port;
  return new NetworkClient({ allowHosts: [`${hostname}:${open}`] });
}

function allowsPrivate(policy: SsrFPolicy = {}): boolean {
  return policy.allowPrivateNetwork === true || policy.dangerouslyAllowPrivateNetwork === true;
}

/** Setting of a channel whose server is in a private network. */
type PrivateNetworkOptIn = Readonly<Record<string, unknown>> | null | undefined;

/**
 * Returns true when the operator allows a channel to reach a private network: `network.dangerouslyAllowPrivateNetwork`,
 * or `allowPrivateNetwork` of older versions.
 * @param input - section of the channel
 * @deprecated Name the host in `tools.http.allowHosts`.
 */
export function isPrivateNetworkOptInEnabled(input: PrivateNetworkOptIn): boolean {
  const { network, allowPrivateNetwork, dangerouslyAllowPrivateNetwork } = input ?? {};
  const nested = typeof network === "object" && network !== null ? network : {};
  return [
    allowPrivateNetwork,
    dangerouslyAllowPrivateNetwork,
    Reflect.get(nested, "dangerouslyAllowPrivateNetwork"),
    Reflect.get(nested, "allowPrivateNetwork"),
  ].includes(true);
}

/**
 * Returns the exemptions of a channel whose server is in a private network; undefined without any.
 * @param input - section of the channel
 * @deprecated Name the host in `tools.http.allowHosts`.
 */
export function ssrfPolicyFromPrivateNetworkOptIn(
  input: PrivateNetworkOptIn,
): SsrFPolicy | undefined {
  return isPrivateNetworkOptInEnabled(input) ? { allowPrivateNetwork: true } : undefined;
}

/**
 * Returns the rules with which older hosts renamed the setting for private networks; this host reads both names.
 * @deprecated Write `network.dangerouslyAllowPrivateNetwork`.
 */
export function createLegacyPrivateNetworkDoctorContract(_channel: {
  readonly channelKey: string;
}) {
  return {
    legacyConfigRules: [],
    normalizeCompatibilityConfig: ({ cfg }: { readonly cfg: object }) => ({
      config: cfg,
      changes: [],
    }),
  };
}

export { formatErrorMessage } from "../diagnostics/error-runtime.js";
