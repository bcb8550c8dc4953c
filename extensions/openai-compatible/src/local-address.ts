import { isIP } from "node:net";

const LOCAL_NAME = /(?:^localhost|\.localhost|\.local|\.internal|\.lan)$|^[^.]+$/;
const PRIVATE_IPV4 = /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./;
const PRIVATE_IPV6 = /^(?:::1$|f[cd]|fe[89ab])/;

/**
 * Whether an address is on this machine or in its own network, where calls cost nothing. It decides
 * a notice for the operator, not what may be reached.
 * @param address - an HTTP address
 */
export function isLocalAddress(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, "");
  const version = isIP(host);
  if (version === 4) return PRIVATE_IPV4.test(host);
  return version === 6 ? PRIVATE_IPV6.test(host) : LOCAL_NAME.test(host);
}
