import type { OpenClawConfiguration } from "@openclaw/configuration";
import type { StoredCredentials } from "@openclaw/core-tools";

const PORTS: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

/**
 * Returns the headers that the host adds to requests of `http` and `web_fetch`, by the host of the request
 * (TURN-062). A host without a port means https and its usual port.
 * @param configuration - returns the configuration in force, with the values of stored secrets
 */
export function httpCredentials(configuration: () => OpenClawConfiguration): StoredCredentials {
  return async ({ hostname, port, protocol }) => {
    const entries = (configuration().tools?.http?.credentials ?? []).map(({ host, headers }) => ({
      host: (host.includes(":") ? host : `${host}:443`).toLowerCase(),
      isSecureOnly: !host.includes(":"),
      headers,
    }));
    const target = `${hostname}:${port || PORTS[protocol]}`;
    const meant = entries.filter(
      ({ host, isSecureOnly }) => host === target && (protocol === "https:" || !isSecureOnly),
    );
    return Object.assign({}, ...meant.map(({ headers }) => headers));
  };
}
