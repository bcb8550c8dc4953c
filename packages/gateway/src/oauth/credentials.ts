import { defined, KeyedMutex } from "@openclaw/foundation";
import { AccessTokens } from "./access-tokens.js";
import { credentialName, type OAuthDependencies, RegisteredCredentials } from "./dependencies.js";
import { Logins } from "./logins.js";

/** State of a registered credential. */
export interface CredentialState {
  /** Name, `<plugin id>/<id>`. */
  readonly name: string;
  readonly pluginId: string;
  readonly label?: string;
  readonly status: "logged-in" | "needs-login";
  /** Reason why a login is needed. */
  readonly reason?: string;
  /** End of the access token in milliseconds since the epoch; it is refreshed before. */
  readonly expiresAt?: number;
}

/** OAuth credentials of the plugins of a host: logins and access tokens (HOST-018, HOST-019). */
export class OAuthCredentials {
  readonly logins: Logins;
  readonly tokens: AccessTokens;
  readonly #registered: RegisteredCredentials;

  /** @param dependencies - plugins, their secrets, network, clock and events */
  constructor(dependencies: OAuthDependencies) {
    const writers = new KeyedMutex();
    this.#registered = new RegisteredCredentials(dependencies);
    this.logins = new Logins(this.#registered, writers, dependencies);
    this.tokens = new AccessTokens(this.#registered, writers, dependencies);
  }

  /**
   * Returns the registered credentials without their tokens.
   * @throws SecretKeyError when the tokens cannot be decrypted
   */
  async list(): Promise<readonly CredentialState[]> {
    return Promise.all(
      this.#registered.all.map(async (registration) => {
        const token = await this.#registered.tokens(registration).read();
        const { pluginId, oauth } = registration;
        const isMissing = token?.accessToken === undefined;
        const reason = isMissing ? (token?.needsLogin ?? "no login was made yet") : undefined;
        return {
          name: credentialName(registration),
          pluginId,
          status: isMissing ? ("needs-login" as const) : ("logged-in" as const),
          ...defined({ label: oauth.label, reason, expiresAt: token?.expiresAt }),
        };
      }),
    );
  }
}
