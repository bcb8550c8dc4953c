/** URLs of an authorization server that publishes no metadata. */
export interface OAuthEndpoints {
  /** Page at which a person logs in. */
  readonly authorization: string;
  /** Endpoint that issues and refreshes tokens. */
  readonly token: string;
  /** Endpoint that revokes tokens at a logout (RFC 7009). */
  readonly revocation?: string;
}

/**
 * Login at another service that a plugin needs: OAuth 2.1 with an authorization code and PKCE. It has an `issuer`, or
 * `endpoints`, or both.
 */
export interface OAuthCredential {
  /** ID within the plugin: 1 to 63 of a-z 0-9 _ -, starting with a letter or digit. */
  readonly id: string;
  /** Display name; the ID when absent. */
  readonly label?: string;
  /** URL of the authorization server. Without `endpoints` its metadata is requested at each login and refresh. */
  readonly issuer?: string;
  /** Endpoints to use instead of the metadata of the server. */
  readonly endpoints?: OAuthEndpoints;
  readonly clientId: string;
  /** Secret of the client; absent for a public client. */
  readonly clientSecret?: string;
  /**
   * Place of the client secret in requests; by default `basic`, or `post` for a server whose metadata lists only that.
   */
  readonly clientAuthentication?: "basic" | "post";
  readonly scopes?: readonly string[];
  /** Further parameters of the login page, for example `{ access_type: "offline" }`. */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
}

/** Access tokens of the credentials that the plugin registered with `api.registerOAuthCredential`. */
export interface RuntimeOAuth {
  /**
   * Returns an access token that is valid for at least 60 s, if the server issues such tokens. It is refreshed when less
   * remains; concurrent calls share one refresh (SDK-066). Request it before each use instead of keeping it.
   * @param id - ID of the registered credential
   * @param options - `rejected`, a token that the service answered with 401 although it had not expired: it is refreshed,
   * unless a newer one is stored
   * @throws AuthRequiredError when a person has to log in
   * @throws an error with code `OAUTH_CREDENTIAL_NOT_FOUND` for an ID that is not registered
   * @throws an error with code `OAUTH_REQUEST_FAILED` when the server cannot be reached or fails; a later call tries again
   */
  accessToken(id: string, options?: { readonly rejected?: string }): Promise<string>;
}
