/**
 * Checks whether a manifest's list of hosts names the host of a URL. An entry without a port
 * matches every port; `*.` and a host match its subdomains, `*` matches every host.
 * @param hosts - `permissions.network.hosts` of the manifest
 * @param url - URL of a request
 */
export function namesHost(hosts: readonly string[], url: URL): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return hosts.some((entry) => {
    if (entry === "*") return true;
    const [, host = "", ownPort] = /^(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (ownPort !== undefined && ownPort !== port) return false;
    return host.startsWith("*.") ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
  });
}
