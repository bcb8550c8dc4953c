import { type Fields, nearest } from "./fields.js";
import type { ReadContext } from "./read-context.js";

/**
 * Reports a host that the manifest of the source does not name.
 * @param url - checked URL
 * @param fields - reports the mistake
 * @param hosts - hosts of the manifest; all when absent
 */
export function checkHost(url: URL, fields: Fields, hosts: readonly string[] | undefined): void {
  if (hosts === undefined) return;
  const isNamed = hosts.some(
    (host) =>
      host === "*" ||
      host === url.hostname ||
      host === url.host ||
      (host.startsWith("*.") && url.hostname.endsWith(host.slice(1))),
  );
  if (isNamed) return;
  const message = `the plugin's manifest does not allow this host; add "${url.hostname}" to permissions.network.hosts`;
  fields.report("MissingPermission", "url", message);
}

const REFERENCE = /\$\{secrets\.([A-Za-z0-9_-]+)\}/g;

/**
 * Replaces references to secrets in the values of an object.
 * @param values - values as written
 * @param field - their field
 * @param fields - reports an unknown secret
 * @param context - the secrets
 */
export function resolveSecrets(
  values: Readonly<Record<string, string>>,
  field: string,
  fields: Fields,
  { secrets }: ReadContext,
): Readonly<Record<string, string>> {
  const resolve = (value: string) =>
    value.replaceAll(REFERENCE, (reference, name: string) => {
      if (Object.hasOwn(secrets, name)) return secrets[name] ?? "";
      const known = Object.keys(secrets);
      const message = `the secret "${name}" is not set; set plugins.entries.declarative-hooks.config.secrets.${name}${nearest(name, known)}`;
      fields.report("InvalidField", field, message);
      return reference;
    });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, resolve(value)]));
}
