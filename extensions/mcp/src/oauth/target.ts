import type { OAuthSettings, ServerSettings } from "../settings.js";

/** HTTP server whose authorization is stored. */
export interface OAuthTarget {
  /** Key of the server in the store. */
  readonly key: string;
  readonly name: string;
  /** Another URL is another server, which gets no token of the first. */
  readonly url: string;
  readonly settings: OAuthSettings;
  /** URL at which authorization servers read who the client is. */
  readonly clientMetadataUrl?: string | undefined;
  /** URL of this gateway to which a browser may return from a login; undefined without a public URL. */
  readonly callbackUrl?: string | undefined;
}

/** URLs of this gateway for logins. */
export type GatewayUrls = Pick<OAuthTarget, "clientMetadataUrl" | "callbackUrl">;

/**
 * Returns an HTTP server that people log in to.
 * @param settings - entry of the server
 * @param gateway - URLs of this gateway for browsers and authorization servers
 * @returns undefined for a program, and for a server whose entry has the header Authorization
 */
export function oauthTarget(
  { name, place, target }: ServerSettings,
  gateway: GatewayUrls,
): OAuthTarget | undefined {
  if (target.kind !== "http") return undefined;
  const { url, headers, oauth = {} } = target;
  const hasOwn = Object.keys(headers).some((key) => key.toLowerCase() === "authorization");
  return hasOwn ? undefined : { key: place.key, name, url, settings: oauth, ...gateway };
}
