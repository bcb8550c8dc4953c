import { randomBytes } from "node:crypto";
import { errorMessage, type KeyedMutex } from "@openclaw/foundation";
import type { AuthorizationClient, LoginSecrets } from "./authorization-client.js";
import {
  credentialName,
  type OAuthDependencies,
  type RegisteredCredentials,
} from "./dependencies.js";
import { OAuthLoginError, OAuthRequestError, OAuthStateError } from "./errors.js";
import { storedToken } from "./stored-token.js";

/** Time for a login, in milliseconds (HOST-018). */
const LOGIN_MS = 10 * 60_000;
/** Time for which the outcome of a login can be read, in milliseconds after its end. */
const OUTCOME_MS = 10 * 60_000;
/** Random bytes of a state, which has 32 characters (HOST-018). */
const STATE_BYTES = 24;
const CALLBACK_PATH = "/oauth/callback";
const LOOPBACK_URI =
  /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):[1-9][0-9]{0,4}\/oauth\/callback$/;

/** State of a login. */
export interface LoginProgress {
  readonly loginId: string;
  /** Name of the credential, `<plugin id>/<id>`. */
  readonly credential: string;
  readonly status: "pending" | "completed" | "failed" | "expired" | "cancelled";
  /** Sentence about the status, without secrets. */
  readonly message: string;
}

/** Login that was started. */
export interface StartedLogin {
  readonly loginId: string;
  readonly credential: string;
  /** URL that the person opens in a browser. */
  readonly url: string;
  /** URL to which the browser returns. */
  readonly redirectUri: string;
  /** End of the login in milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface Login {
  readonly id: string;
  readonly credential: string;
  readonly client: AuthorizationClient;
  readonly secrets: LoginSecrets;
  readonly expiresAt: number;
  isUsed: boolean;
  status: LoginProgress["status"];
  message: string;
}

/** Logins of a host. They are in memory: a restart of the host ends those that are pending. */
export class Logins {
  readonly #credentials: RegisteredCredentials;
  readonly #writers: KeyedMutex;
  readonly #dependencies: OAuthDependencies;
  readonly #logins = new Map<string, Login>();

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
   * Starts a login, and cancels a pending one of the same credential.
   * @param named - name of the credential
   * @param loopback - URL of a listener of the caller on this machine; the callback of the gateway when absent
   * @throws OAuthCredentialNotFoundError, OAuthLoginError, OAuthRequestError
   */
  async start(named: string, loopback: string | undefined): Promise<StartedLogin> {
    const registration = this.#credentials.find(named);
    const credential = credentialName(registration);
    const redirectUri = this.#redirectUri(loopback);
    const { fetch, now } = this.#dependencies;
    // Loaded with the first login, because most hosts have no credentials.
    const { AuthorizationClient, createVerifier } = await import("./authorization-client.js");
    const client = await AuthorizationClient.connect(credential, registration.oauth, fetch);
    const state = randomBytes(STATE_BYTES).toString("base64url");
    const secrets = { state, verifier: createVerifier(), redirectUri };
    const url = await client.loginUrl(secrets);
    this.#forgetOld();
    this.#cancel(credential, "a newer login was started");
    const expiresAt = now() + LOGIN_MS;
    // Not the state, which is a secret of the browser that logs in.
    const id = randomBytes(STATE_BYTES).toString("base64url");
    this.#logins.set(id, {
      ...{ id, credential, client, secrets, expiresAt },
      ...{ isUsed: false, status: "pending", message: "waiting for the browser" },
    });
    return { loginId: id, credential, url, redirectUri, expiresAt };
  }

  /**
   * Returns the state of a login.
   * @throws OAuthLoginError when it does not exist
   */
  progress(loginId: string): LoginProgress {
    const login = this.#logins.get(loginId);
    if (login === undefined) {
      throw new OAuthLoginError(
        "the login does not exist any more; start it again with `openclaw secrets login`",
      );
    }
    this.#expire(login);
    const { id, credential, status, message } = login;
    return { loginId: id, credential, status, message };
  }

  /**
   * Completes the login to which a callback belongs. A state is used once, whatever the outcome.
   * @param parameters - query of the callback
   * @throws OAuthStateError when no pending login has the state; nothing is requested then
   */
  async complete(parameters: URLSearchParams): Promise<LoginProgress> {
    const [state, ...others] = parameters.getAll("state");
    const login = [...this.#logins.values()].find(({ secrets }) => secrets.state === state);
    if (login === undefined || others.length > 0) throw new OAuthStateError();
    this.#expire(login);
    if (login.isUsed || login.status !== "pending") throw new OAuthStateError();
    login.isUsed = true;
    try {
      await this.#exchange(login, parameters);
      login.status = "completed";
      login.message = `logged in: ${login.credential}`;
    } catch (error) {
      login.status = "failed";
      login.message = errorMessage(error);
      // Any other error is a fault of the host, which its log explains.
      if (!OAuthRequestError.isInstance(error) && !OAuthLoginError.isInstance(error)) throw error;
      this.#dependencies.logger.warn(login.message, { credential: login.credential });
    }
    return this.progress(login.id);
  }

  /**
   * Deletes the tokens of a credential, revokes them if the server can, and cancels a pending login.
   * @param named - name of the credential
   * @throws OAuthCredentialNotFoundError, SecretKeyError
   */
  async remove(named: string): Promise<{
    readonly credential: string;
    readonly removed: boolean;
    readonly revoked: boolean;
  }> {
    const registration = this.#credentials.find(named);
    const credential = credentialName(registration);
    this.#cancel(credential, "the credential was logged out");
    return this.#writers.run(credential, async () => {
      const tokens = this.#credentials.tokens(registration);
      const token = await tokens.read();
      const removed = await tokens.delete();
      const revocable = token?.refreshToken ?? token?.accessToken;
      if (revocable === undefined) return { credential, removed, revoked: false };
      try {
        const { AuthorizationClient } = await import("./authorization-client.js");
        const { fetch } = this.#dependencies;
        const client = await AuthorizationClient.connect(credential, registration.oauth, fetch);
        return { credential, removed, revoked: await client.revoke(revocable) };
      } catch (error) {
        if (!OAuthRequestError.isInstance(error)) throw error;
        this.#dependencies.logger.warn(error.message, { credential });
        return { credential, removed, revoked: false };
      }
    });
  }

  async #exchange({ client, credential, secrets }: Login, parameters: URLSearchParams) {
    const { now, events, logger } = this.#dependencies;
    await this.#writers.run(credential, async () => {
      const issued = await client.exchange(parameters, secrets);
      const registration = this.#credentials.get(credential);
      if (registration === undefined) {
        throw new OAuthLoginError(
          `the plugin of the credential "${credential}" was disabled during the login; enable it and log in again`,
        );
      }
      await this.#credentials.tokens(registration).write(storedToken(issued, now()));
      const { pluginId } = registration;
      logger.info(`the credential "${credential}" was logged in`, { credential });
      events.publish("auth_completed", { credential, pluginId });
    });
  }

  #redirectUri(loopback: string | undefined): string {
    if (loopback !== undefined) {
      if (LOOPBACK_URI.test(loopback) && URL.canParse(loopback)) return loopback;
      throw new OAuthLoginError(
        `the redirect URI must be http://127.0.0.1:PORT${CALLBACK_PATH}, the listener of the caller; correct it, or leave it out to use gateway.publicUrl`,
      );
    }
    const url = this.#dependencies.publicUrl();
    if (url !== undefined) return `${url.replace(/\/+$/, "")}${CALLBACK_PATH}`;
    throw new OAuthLoginError(
      "the gateway has no URL for browsers; set gateway.publicUrl, or log in with `openclaw secrets login`",
    );
  }

  #cancel(credential: string, reason: string): void {
    for (const login of this.#logins.values()) {
      if (login.credential !== credential || login.status !== "pending" || login.isUsed) continue;
      login.status = "cancelled";
      login.message = reason;
    }
  }

  #expire(login: Login): void {
    if (login.status !== "pending" || login.isUsed) return;
    if (this.#dependencies.now() < login.expiresAt) return;
    login.status = "expired";
    login.message = "the login was not completed within 10 minutes";
  }

  #forgetOld(): void {
    const now = this.#dependencies.now();
    for (const { id, expiresAt } of this.#logins.values()) {
      if (now >= expiresAt + OUTCOME_MS) this.#logins.delete(id);
    }
  }
}
