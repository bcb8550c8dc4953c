const LOCAL_NAME = /(?:^localhost|\.localhost|\.local|\.internal|\.lan)$|^[^.]+$/;
const PRIVATE_IPV4 = /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./;
const PRIVATE_IPV6 = /^(?:::1$|f[cd]|fe[89ab])/;

/**
 * Returns true when the host of a URL is this machine or in its own network, where calls of a model cost nothing. It
 * decides only a notice for the operator, not which hosts may be reached.
 * @param url - HTTP URL
 */
export function isLocalUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  // URLs write every IPv4 address with four numbers, and only IPv6 addresses have colons.
  if (/^\d+(?:\.\d+){3}$/.test(host)) return PRIVATE_IPV4.test(host);
  return host.includes(":") ? PRIVATE_IPV6.test(host) : LOCAL_NAME.test(host);
}
