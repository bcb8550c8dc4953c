import { sha256 } from "@openclaw/foundation";
import type { OAuthCredential } from "@openclaw/plugin-sdk/services";
import type { PluginSecretStore } from "@openclaw/plugin-sdk/store";
import type { IssuedTokens } from "./authorization-client.js";

/** Tokens of a credential, as they are stored. */
export interface StoredToken {
  /** Absent after a rejected refresh. */
  readonly accessToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  /** End of the access token in milliseconds since the epoch; undefined when the server gave none. */
  readonly expiresAt?: number | undefined;
  /** Reason why a person has to log in again. */
  readonly needsLogin?: string | undefined;
}

/** Tokens of one credential among the secrets of its plugin (HOST-019). */
export class TokenRecord {
  readonly #secrets: PluginSecretStore;
  readonly #secret: string;
  readonly #server: string;

  constructor(secrets: PluginSecretStore, oauth: OAuthCredential) {
    this.#secrets = secrets;
    this.#secret = `oauth.${oauth.id}`;
    this.#server = serverDigest(oauth);
  }

  /**
   * Returns the tokens; undefined before the first login, and when they are of another server or client, which must not
   * get them.
   * @throws an error with code `SECRET_KEY_UNUSABLE` when they cannot be decrypted
   */
  async read(): Promise<StoredToken | undefined> {
    const text = await this.#secrets.get(this.#secret);
    if (text === undefined) return undefined;
    const { server, ...token } = JSON.parse(text) as StoredToken & { readonly server: string };
    return server === this.#server ? token : undefined;
  }

  /** Stores tokens. */
  async write(token: StoredToken): Promise<void> {
    await this.#secrets.set(this.#secret, JSON.stringify({ ...token, server: this.#server }));
  }

  /** Deletes the tokens; returns true when there were any. */
  delete(): Promise<boolean> {
    return this.#secrets.delete(this.#secret);
  }
}

/**
 * Returns the tokens of a response, as they are stored.
 * @param issued - tokens of the response
 * @param now - milliseconds since the epoch
 * @param refreshToken - refresh token that remains valid when the response has no new one
 */
export function storedToken(
  { accessToken, expiresIn, refreshToken: rotated }: IssuedTokens,
  now: number,
  refreshToken?: string,
): StoredToken {
  return {
    accessToken,
    refreshToken: rotated ?? refreshToken,
    expiresAt: expiresIn === undefined ? undefined : now + expiresIn * 1000,
  };
}

function serverDigest({ issuer, endpoints, clientId }: OAuthCredential): string {
  return sha256(JSON.stringify([clientId, issuer ?? "", endpoints?.token ?? ""]));
}
