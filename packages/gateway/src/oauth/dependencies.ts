import { nearestNames, type Timers } from "@openclaw/foundation";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { EventPublisher } from "@openclaw/protocol";
import type { PluginStores } from "@openclaw/store";
import { OAuthCredentialNotFoundError, OAuthLoginError } from "./errors.js";
import type { OAuthFetch } from "./requests.js";
import { TokenRecord } from "./stored-token.js";

/** OAuth credential of a plugin. */
export type RegisteredCredential = PluginGeneration["oauthCredentials"][number];

/** Dependencies of the OAuth credentials of a host. */
export interface OAuthDependencies {
  /** Plugins that register credentials. */
  readonly plugins: () => {
    readonly current: Pick<PluginGeneration, "oauthCredentials">;
  };
  /** Secrets of plugins; undefined on a host that stores none. */
  readonly stores: Pick<PluginStores, "of"> | undefined;
  readonly events: Pick<EventPublisher, "publish">;
  readonly logger: Logger;
  readonly timers: Timers;
  readonly fetch: OAuthFetch;
  /** Returns the URL at which browsers reach the gateway, `gateway.publicUrl`. */
  publicUrl(): string | undefined;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/**
 * Returns the name of a credential, `<plugin id>/<id>`.
 * @param registration - the credential
 */
export function credentialName({ pluginId, oauth }: RegisteredCredential): string {
  return `${pluginId}/${oauth.id}`;
}

/** Credentials that the enabled plugins register. */
export class RegisteredCredentials {
  readonly #dependencies: Pick<OAuthDependencies, "plugins" | "stores">;

  /** @param dependencies - plugins and their secrets */
  constructor(dependencies: Pick<OAuthDependencies, "plugins" | "stores">) {
    this.#dependencies = dependencies;
  }

  /** All credentials, in the order of registration. */
  get all(): readonly RegisteredCredential[] {
    return this.#dependencies.plugins().current.oauthCredentials;
  }

  /**
   * Returns a credential.
   * @param name - `<plugin id>/<id>`, or the ID when only one plugin has it
   * @throws OAuthCredentialNotFoundError
   */
  find(name: string): RegisteredCredential {
    const found = this.get(name);
    const sameId = this.all.filter(({ oauth }) => oauth.id === name);
    const [only] = sameId;
    if (found !== undefined) return found;
    if (only !== undefined && sameId.length === 1) return only;
    const names = this.all.flatMap((each) => [credentialName(each), each.oauth.id]);
    const meant = sameId.length > 1 ? sameId.map(credentialName) : nearestNames(name, names);
    throw new OAuthCredentialNotFoundError(name, meant);
  }

  /**
   * Returns a credential; undefined when its plugin is not enabled.
   * @param name - `<plugin id>/<id>`
   */
  get(name: string): RegisteredCredential | undefined {
    return this.all.find((registration) => credentialName(registration) === name);
  }

  /**
   * Returns the tokens of a credential.
   * @throws OAuthLoginError on a host without stored secrets
   */
  tokens(registration: RegisteredCredential): TokenRecord {
    const secrets = this.#dependencies.stores?.of(registration.pluginId).secrets;
    if (secrets === undefined) {
      throw new OAuthLoginError("this host stores no secrets of plugins; use a gateway");
    }
    return new TokenRecord(secrets, registration.oauth);
  }
}
