import { AuthRequiredError, OpenClawError } from "@openclaw/plugin-sdk/errors";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { defined, type OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { type AuthCapability, type ClientSetting, HttpFailure } from "@openclaw/wasm-host";
import type { LoadedComponent } from "./library/folder-scan.js";
import type { Environment } from "./settings.js";

interface RegisteredLogin {
  /** The login in the capabilities file as JSON. */
  readonly text: string;
  readonly unregister: () => void;
}

type LoginApi = Pick<OpenClawPluginApi, "runtime" | "lifecycle" | "logger"> &
  Pick<OpenClawPluginApi, "registerOAuthCredential">;

/**
 * Registers the logins of components with the host, by the names of the components, and returns their access tokens
 * (WASM-012, WASM-032). Each component has its own login, so that none receives the token of another.
 */
export class ComponentLogins {
  readonly #api: LoginApi;
  readonly #environment: Environment;
  readonly #registered = new Map<string, RegisteredLogin>();

  /** @param environment - variables that have IDs and secrets of clients */
  constructor(api: LoginApi, environment: Environment) {
    this.#api = api;
    this.#environment = environment;
  }

  /**
   * Registers new logins, and removes those of components that are gone or changed.
   * @param components - loaded components
   */
  apply(components: readonly LoadedComponent[]): void {
    const wanted = new Map(
      components.flatMap(({ name, capabilities: { auth } }) =>
        auth?.oauth === undefined ? [] : [[name, auth] as const],
      ),
    );
    const keep = (name: string, text: string) => {
      const auth = wanted.get(name);
      return auth !== undefined && JSON.stringify(auth) === text;
    };
    const isDone =
      [...this.#registered].every(([name, { text }]) => keep(name, text)) &&
      [...wanted.keys()].every((name) => this.#registered.has(name));
    if (isDone) return;
    this.#api.lifecycle.update(() => {
      for (const [name, { text, unregister }] of [...this.#registered]) {
        if (keep(name, text)) continue;
        this.#registered.delete(name);
        unregister();
      }
      for (const [name, auth] of wanted)
        if (!this.#registered.has(name)) this.#register(name, auth);
    });
  }

  /**
   * Returns the access token of a component.
   * @param rejected - token that the service answered with 401
   * @returns undefined when the secret is not that of its login, or no user has logged in
   * @throws HttpFailure when the server of the login cannot be reached
   */
  async token(
    { name, capabilities: { auth } }: LoadedComponent,
    secret: string,
    rejected?: string,
  ): Promise<string | undefined> {
    const { oauth } = this.#api.runtime;
    if (auth?.secretName !== secret || oauth === undefined || !this.#registered.has(name)) {
      return undefined;
    }
    try {
      return await oauth.accessToken(name, defined({ rejected }));
    } catch (error) {
      if (AuthRequiredError.isInstance(error)) return undefined;
      const code = OpenClawError.isInstance(error) ? error.code : "LoginFailed";
      throw new HttpFailure("operation-failed", code, errorMessage(error));
    }
  }

  /** Returns true for a component that needs a login for a secret. */
  needs({ name, capabilities: { auth } }: LoadedComponent, secret: string): boolean {
    return auth?.secretName === secret && this.#registered.has(name);
  }

  #register(name: string, auth: AuthCapability): void {
    const { oauth, displayName } = auth;
    const text = JSON.stringify(auth);
    if (oauth === undefined) return;
    const clientId = this.#valueOf(oauth.clientId);
    const clientSecret = oauth.clientSecret && this.#valueOf(oauth.clientSecret);
    const missing = [
      ...(clientId === undefined ? [oauth.clientId.variable] : []),
      ...(oauth.clientSecret !== undefined && clientSecret === undefined
        ? [oauth.clientSecret.variable]
        : []),
    ];
    if (clientId === undefined || missing.length > 0) {
      this.#api.logger.warn(
        `no user can log in for the component ${name}: the environment has no ${missing.join(" and no ")}; set it and start the gateway again`,
      );
      return;
    }
    const unregister = this.#api.registerOAuthCredential({
      ...{ id: name, label: displayName, clientId, ...defined({ clientSecret }) },
      endpoints: { authorization: oauth.authorizationUrl, token: oauth.tokenUrl },
      ...{ scopes: oauth.scopes, authorizationParameters: oauth.parameters },
    });
    this.#registered.set(name, { text, unregister });
  }

  #valueOf({ value, variable }: ClientSetting): string | undefined {
    const found = variable === undefined ? undefined : this.#environment[variable];
    return (found === "" ? undefined : found) ?? value;
  }
}
