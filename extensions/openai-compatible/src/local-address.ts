import { isIP } from "node:net";

const LOCAL_NAME = /(?:^localhost|\.localhost|\.local|\.internal|\.lan)$|^[^.]+$/;
const PRIVATE_IPV4 = /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./;
const PRIVATE_IPV6 = /^(?:::1$|f[cd]|fe[89ab])/;

/**
 * Returns whether the host of a URL is this machine or in its own network, where calls cost
 * nothing. It decides only a notice for the operator, not which hosts may be reached.
 * @param url - HTTP URL
 */
export function isLocalAddress(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const version = isIP(host);
  if (version === 4) return PRIVATE_IPV4.test(host);
  return version === 6 ? PRIVATE_IPV6.test(host) : LOCAL_NAME.test(host);
}
