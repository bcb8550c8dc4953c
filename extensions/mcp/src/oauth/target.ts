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
}

/**
 * Returns an HTTP server that people log in to.
 * @param settings - entry of the server
 * @param clientMetadataUrl - URL at which this gateway describes itself
 * @returns undefined for a program, and for a server whose entry has the header Authorization
 */
export function oauthTarget(
  { name, place, target }: ServerSettings,
  clientMetadataUrl: string | undefined,
): OAuthTarget | undefined {
  if (target.kind !== "http") return undefined;
  const { url, headers, oauth = {} } = target;
  const hasOwn = Object.keys(headers).some((key) => key.toLowerCase() === "authorization");
  return hasOwn ? undefined : { key: place.key, name, url, settings: oauth, clientMetadataUrl };
}
