import { errorMessage, type KeyedMutex } from "@openclaw/foundation";
import { AuthRequiredError } from "@openclaw/plugin-sdk/errors";
import {
  credentialName,
  type OAuthDependencies,
  type RegisteredCredential,
  type RegisteredCredentials,
} from "./dependencies.js";
import { OAuthRequestError } from "./errors.js";
import { type StoredToken, storedToken } from "./stored-token.js";

/** Remaining lifetime below which a token is refreshed, in milliseconds (HOST-019). */
const REFRESH_BEFORE_MS = 60_000;

/** Errors with which servers reject a refresh token for good; the last three are not of the standard but in wide use. */
const REJECTIONS: ReadonlySet<string> = new Set([
  ...["invalid_grant", "bad_refresh_token", "invalid_refresh_token", "token_revoked"],
]);

const REJECTED = "the service rejected the access token, and the server issued no refresh token";
const EXPIRED = "the access token has expired, and the server issued no refresh token";

/**
 * Access tokens of the credentials of a host, refreshed before they end. A database has one host, so that one refresh at
 * a time in this process is one at all (HOST-019).
 */
export class AccessTokens {
  readonly #credentials: RegisteredCredentials;
  readonly #dependencies: OAuthDependencies;
  /** Shared with logins and logouts, so that a refresh that ends later does not replace their tokens. */
  readonly #writers: KeyedMutex;
  readonly #refreshes = new Map<string, Promise<string>>();

  /**
   * @param writers - lets one change of a credential's tokens run at a time
   * @param dependencies - network, clock and events
   */
  constructor(
    credentials: RegisteredCredentials,
    writers: KeyedMutex,
    dependencies: OAuthDependencies,
  ) {
    this.#credentials = credentials;
    this.#writers = writers;
    this.#dependencies = dependencies;
  }

  /**
   * Returns an access token.
   * @param name - `<plugin id>/<id>` of the credential
   * @param rejected - token that the service rejected, which is refreshed unless a newer one is stored
   * @throws OAuthCredentialNotFoundError, AuthRequiredError, OAuthRequestError
   */
  async get(name: string, rejected?: string): Promise<string> {
    const registration = this.#credentials.find(name);
    const fresh = this.#fresh(await this.#credentials.tokens(registration).read());
    if (fresh !== undefined && fresh !== rejected) return fresh;
    const running = this.#refreshes.get(name);
    if (running !== undefined) return running;
    const refresh = this.#writers
      .run(name, () => this.#refresh(registration, rejected))
      .finally(() => this.#refreshes.delete(name));
    this.#refreshes.set(name, refresh);
    return refresh;
  }

  async #refresh(
    registration: RegisteredCredential,
    rejected: string | undefined,
  ): Promise<string> {
    const name = credentialName(registration);
    const tokens = this.#credentials.tokens(registration);
    const token = await tokens.read();
    const fresh = this.#fresh(token);
    if (fresh !== undefined && fresh !== rejected) return fresh;
    if (token === undefined) throw new AuthRequiredError(name, "no login was made yet");
    if (token.needsLogin !== undefined) throw new AuthRequiredError(name, token.needsLogin);
    const isRejected = rejected !== undefined && token.accessToken === rejected;
    const valid = this.#remaining(token) > 0 && !isRejected ? token.accessToken : undefined;
    if (token.refreshToken === undefined) {
      if (valid !== undefined) return valid;
      return await this.#requireLogin(registration, isRejected ? REJECTED : EXPIRED);
    }
    try {
      return await this.#renew(registration, token.refreshToken);
    } catch (error) {
      if (!OAuthRequestError.isInstance(error)) throw error;
      const { serverError } = error;
      if (serverError !== undefined && REJECTIONS.has(serverError)) {
        const reason = `the server rejected the refresh (${serverError})`;
        return await this.#requireLogin(registration, reason);
      }
      if (valid === undefined) throw error;
      this.#dependencies.logger.warn(`${errorMessage(error)}; the current token is used`);
      return valid;
    }
  }

  async #renew(registration: RegisteredCredential, refreshToken: string): Promise<string> {
    const name = credentialName(registration);
    // Loaded with the first refresh, because most hosts have no credentials.
    const { AuthorizationClient } = await import("./authorization-client.js");
    const { fetch, now } = this.#dependencies;
    const client = await AuthorizationClient.connect(name, registration.oauth, fetch);
    const issued = await client.refresh(refreshToken);
    // The data of a plugin that was removed meanwhile must not come back.
    if (this.#credentials.get(name) !== undefined) {
      await this.#credentials.tokens(registration).write(storedToken(issued, now(), refreshToken));
    }
    return issued.accessToken;
  }

  async #requireLogin(registration: RegisteredCredential, reason: string): Promise<never> {
    const name = credentialName(registration);
    const { events, logger } = this.#dependencies;
    if (this.#credentials.get(name) !== undefined) {
      await this.#credentials.tokens(registration).write({ needsLogin: reason });
      logger.warn(`the credential "${name}" needs a login: ${reason}`, { credential: name });
      const { pluginId, oauth } = registration;
      events.publish("auth_required", {
        ...{ credential: name, pluginId, reason },
        ...(oauth.label !== undefined && { label: oauth.label }),
      });
    }
    throw new AuthRequiredError(name, reason);
  }

  /** Returns the access token when it needs no refresh. */
  #fresh(token: StoredToken | undefined): string | undefined {
    if (token?.accessToken === undefined) return undefined;
    return this.#remaining(token) >= REFRESH_BEFORE_MS ? token.accessToken : undefined;
  }

  #remaining({ expiresAt }: StoredToken): number {
    return expiresAt === undefined
      ? Number.POSITIVE_INFINITY
      : expiresAt - this.#dependencies.now();
  }
}
