import type { Credential } from "../capabilities/capabilities.js";
import { matchesHost } from "../capabilities/endpoint.js";
import { HttpFailure } from "./http-failure.js";

/** Request of a component before and after credentials are added. */
export interface GuestRequest {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** Request with credentials, and the values that must not come back. */
export interface InjectedRequest extends GuestRequest {
  readonly secrets: ReadonlyMap<string, string>;
}

const PLACEHOLDER = /\{([A-Za-z][A-Za-z0-9_]*)\}/g;

/**
 * Adds the credentials of a component to a request for their hosts (WASM-029).
 * @param request - request as the component wrote it
 * @param host - host of its URL
 * @param credentials - credentials of the capabilities
 * @param secretOf - returns the value of a secret; undefined when it does not exist
 * @throws HttpFailure for a placeholder of a credential that is not for this host, or whose secret does not exist
 */
export async function injectCredentials(
  request: GuestRequest,
  host: string,
  credentials: readonly Credential[],
  secretOf: (name: string) => Promise<string | undefined>,
): Promise<InjectedRequest> {
  const secrets = new Map<string, string>();
  const secret = async (name: string) => {
    const value = await secretOf(name);
    if (value !== undefined) secrets.set(name, value);
    return value;
  };
  const fill = async (text: string, encode: (value: string) => string) => {
    let filled = "";
    let end = 0;
    for (const match of text.matchAll(PLACEHOLDER)) {
      const name = match[1] ?? "";
      const credential = credentials.find((known) => hasPlaceholder(known, name));
      if (credential === undefined) continue;
      if (!credential.hostPatterns.some((pattern) => matchesHost(host, pattern))) {
        throw new HttpFailure(
          "network-denied",
          "CredentialNotForHost",
          `{${name}} is not for ${host}`,
        );
      }
      const value = await secret(credential.secretName);
      if (value === undefined) throw missing(credential.secretName);
      filled += text.slice(end, match.index) + encode(value);
      end = match.index + match[0].length;
    }
    return filled + text.slice(end);
  };
  const url = new URL(await fill(request.url, inUrl));
  const headers = new Map<string, string>();
  for (const [name, value] of request.headers)
    headers.set(name.toLowerCase(), await fill(value, String));
  for (const { secretName, location, hostPatterns } of credentials) {
    if (location.type === "url_path") continue;
    if (!hostPatterns.some((pattern) => matchesHost(host, pattern))) continue;
    // A service may answer without it; one that does not says so itself.
    const value = await secret(secretName);
    if (value === undefined) continue;
    if (location.type === "query_param") url.searchParams.set(location.name, value);
    else if (location.type === "bearer") headers.set("authorization", `Bearer ${value}`);
    else if (location.type === "basic") {
      const pair = Buffer.from(`${location.username}:${value}`).toString("base64");
      secrets.set(`${secretName} (basic)`, pair);
      headers.set("authorization", `Basic ${pair}`);
    } else headers.set(location.name.toLowerCase(), `${location.prefix}${value}`);
  }
  return { url: url.href, headers: [...headers], secrets };
}

function hasPlaceholder({ secretName, location }: Credential, name: string): boolean {
  if (location.type === "url_path" && location.placeholder.replaceAll(/[{}]/g, "") === name)
    return true;
  return secretName.toUpperCase() === name.toUpperCase();
}

function missing(secretName: string): HttpFailure {
  return new HttpFailure(
    "auth-required",
    "SecretMissing",
    `the secret ${secretName} is not stored`,
  );
}

function inUrl(value: string): string {
  return encodeURIComponent(value).replaceAll("%3A", ":");
}
