import { DeadlineExceededError, defined, errorMessage } from "@openclaw/foundation";
import type { OAuthCredential } from "@openclaw/plugin-sdk/services";
import * as oauth from "oauth4webapi";
import { OAuthRequestError } from "./errors.js";
import { type OAuthFetch, REQUEST_MS } from "./requests.js";

/** Form of an error code of a server; any other text could contain a secret. */
const SERVER_ERROR = /^[A-Za-z0-9_.-]{1,64}$/;

/** Tokens of a response. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Lifetime of the access token in seconds; undefined when the server gives none. */
  readonly expiresIn?: number | undefined;
  readonly scope?: string | undefined;
}

/** Values of one login, which its callback must match. */
export interface LoginSecrets {
  readonly state: string;
  /** PKCE verifier. */
  readonly verifier: string;
  readonly redirectUri: string;
}

/** Returns a PKCE verifier: 32 random bytes in base64url, 43 characters. */
export const createVerifier = oauth.generateRandomCodeVerifier;

/** Client of one authorization server, for one credential. Its errors contain no secrets. */
export class AuthorizationClient {
  readonly #name: string;
  readonly #credential: OAuthCredential;
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;
  readonly #options: ReturnType<typeof requestOptions>;

  private constructor(
    name: string,
    credential: OAuthCredential,
    server: oauth.AuthorizationServer,
    fetch: OAuthFetch,
  ) {
    this.#name = name;
    this.#credential = credential;
    this.#server = server;
    this.#client = { client_id: credential.clientId };
    this.#options = requestOptions(fetch);
  }

  /**
   * Creates the client; without endpoints it requests the metadata of the server.
   * @param name - name of the credential in messages
   * @param credential - server and client
   * @param fetch - sends the requests
   * @throws OAuthRequestError
   */
  static async connect(
    name: string,
    credential: OAuthCredential,
    fetch: OAuthFetch,
  ): Promise<AuthorizationClient> {
    const server = await reported(name, "reading the metadata of the server", () =>
      serverOf(credential, fetch),
    );
    return new AuthorizationClient(name, credential, server, fetch);
  }

  /**
   * Returns the URL of the login page.
   * @throws OAuthRequestError when the server has no login page, or does not support PKCE with S256
   */
  async loginUrl({ state, verifier, redirectUri }: LoginSecrets): Promise<string> {
    const { authorization_endpoint: page, code_challenge_methods_supported: methods } =
      this.#server;
    if (page === undefined) throw this.#invalid("its metadata has no authorization_endpoint");
    if (methods !== undefined && !methods.includes("S256")) {
      throw this.#invalid("it does not support PKCE with S256");
    }
    const { clientId, scopes = [], authorizationParameters = {} } = this.#credential;
    const url = new URL(page);
    const parameters = {
      ...authorizationParameters,
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
    if (scopes.length > 0) url.searchParams.set("scope", scopes.join(" "));
    return url.href;
  }

  /**
   * Exchanges the code of a callback for tokens.
   * @param parameters - query of the callback
   * @throws OAuthRequestError, also when the callback reports that the person denied the login
   */
  async exchange(
    parameters: URLSearchParams,
    { state, verifier, redirectUri }: LoginSecrets,
  ): Promise<IssuedTokens> {
    const given = new URLSearchParams(parameters);
    // Without a configured issuer there is nothing to compare it with.
    const { issuer, endpoints } = this.#credential;
    if (issuer === undefined && endpoints !== undefined) given.delete("iss");
    return await reported(this.#name, "the login", async () => {
      const checked = oauth.validateAuthResponse(this.#server, this.#client, given, state);
      const response = await oauth.authorizationCodeGrantRequest(
        this.#server,
        this.#client,
        this.#authentication(),
        checked,
        redirectUri,
        verifier,
        this.#options,
      );
      return issued(
        await oauth.processAuthorizationCodeResponse(this.#server, this.#client, response),
      );
    });
  }

  /**
   * Exchanges a refresh token for new tokens.
   * @throws OAuthRequestError
   */
  async refresh(refreshToken: string): Promise<IssuedTokens> {
    return await reported(this.#name, "the refresh", async () => {
      const response = await oauth.refreshTokenGrantRequest(
        this.#server,
        this.#client,
        this.#authentication(),
        refreshToken,
        this.#options,
      );
      return issued(await oauth.processRefreshTokenResponse(this.#server, this.#client, response));
    });
  }

  /**
   * Revokes a token.
   * @param token - refresh token, or access token
   * @returns false when the server has no endpoint for it
   * @throws OAuthRequestError
   */
  async revoke(token: string): Promise<boolean> {
    if (this.#server.revocation_endpoint === undefined) return false;
    await reported(this.#name, "the revocation", async () => {
      const authentication = this.#authentication();
      const response = await oauth.revocationRequest(
        this.#server,
        this.#client,
        authentication,
        token,
        this.#options,
      );
      await oauth.processRevocationResponse(response);
    });
    return true;
  }

  #authentication(): oauth.ClientAuth {
    const { clientSecret, clientAuthentication } = this.#credential;
    if (clientSecret === undefined) return oauth.None();
    const supported = this.#server.token_endpoint_auth_methods_supported;
    const onlyPost =
      supported?.includes("client_secret_post") === true &&
      !supported.includes("client_secret_basic");
    const used = clientAuthentication ?? (onlyPost ? "post" : "basic");
    return used === "post"
      ? oauth.ClientSecretPost(clientSecret)
      : oauth.ClientSecretBasic(clientSecret);
  }

  #invalid(problem: string): OAuthRequestError {
    return new OAuthRequestError(this.#name, "the login", `the authorization server: ${problem}`);
  }
}

function requestOptions(fetch: OAuthFetch) {
  return {
    [oauth.customFetch]: (
      url: string,
      { method, headers, body }: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
    ) => fetch(url, { method, headers, body: body ?? null }),
    // The network check of the host decides: it denies plain HTTP, except to the hosts that the operator allows.
    [oauth.allowInsecureRequests]: true,
  };
}

async function serverOf(
  { issuer, endpoints }: OAuthCredential,
  fetch: OAuthFetch,
): Promise<oauth.AuthorizationServer> {
  if (endpoints !== undefined) {
    const { authorization, token, revocation } = endpoints;
    return {
      issuer: issuer ?? new URL(token).origin,
      authorization_endpoint: authorization,
      token_endpoint: token,
      ...defined({ revocation_endpoint: revocation }),
    };
  }
  const url = new URL(issuer ?? "");
  const request = async (algorithm: "oauth2" | "oidc") =>
    oauth.discoveryRequest(url, { ...requestOptions(fetch), algorithm });
  const metadata = await request("oauth2");
  // Some servers publish only the metadata of OpenID; others answer any path with a page.
  const isJson = metadata.headers.get("content-type") === "application/json";
  const found = metadata.status === 200 && isJson ? metadata : await request("oidc");
  return await oauth.processDiscoveryResponse(url, found);
}

function issued(response: oauth.TokenEndpointResponse): IssuedTokens {
  const { access_token, refresh_token, expires_in, scope, token_type } = response;
  if (token_type !== "bearer")
    throw new TypeError("the server issued a token that is not a bearer token");
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresIn: expires_in,
    scope,
  };
}

/** Runs an action; its error becomes one without secrets. The cause is dropped, because it contains responses. */
async function reported<Result>(
  name: string,
  action: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const answered =
      error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError;
    if (answered) {
      const code = SERVER_ERROR.test(error.error) ? error.error : "an unknown error";
      throw new OAuthRequestError(name, action, `the server answered ${code}`, code);
    }
    throw new OAuthRequestError(name, action, problemOf(error));
  }
}

function problemOf(error: unknown): string {
  if (DeadlineExceededError.isInstance(error)) {
    return `the server did not answer within ${REQUEST_MS / 1000} s`;
  }
  const isUnreachable = error instanceof TypeError && error.message === "fetch failed";
  return isUnreachable ? "the server cannot be reached" : errorMessage(error);
}
