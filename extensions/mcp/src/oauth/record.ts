import { createHash } from "node:crypto";
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { PluginSecretStore } from "@openclaw/plugin-sdk/store";
import { McpAuthError } from "../errors.js";
import type { OAuthTarget } from "./target.js";

/** Time in milliseconds in which a person can log in. */
export const LOGIN_MS = 10 * 60_000;

/** Login that a person has not finished. */
interface OpenLogin {
  readonly state?: string | undefined;
  readonly redirectUrl: string;
  readonly verifier?: string;
  /** Authorization server that was asked, which must be the one that answers. */
  readonly discovery?: OAuthDiscoveryState | undefined;
  readonly startedAt: number;
}

/** Demands of a server that did not accept a request. */
export interface OAuthChallenge {
  readonly resourceMetadataUrl?: string;
  readonly scope?: string;
}

/** Stored authorization of a server. */
export interface OAuthRecord {
  /** Client at each authorization server, by its issuer. */
  readonly clients?: Readonly<Record<string, StoredOAuthClientInformation>> | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
  /** Time at which the access token ends, in milliseconds since 1970; absent when it does not say. */
  readonly expiresAt?: number | undefined;
  /** Authorization server of the tokens. */
  readonly discovery?: OAuthDiscoveryState | undefined;
  readonly challenge?: OAuthChallenge | undefined;
  readonly login?: OpenLogin | undefined;
}

/** Authorizations of servers, encrypted in the secrets of the plugin (EXT-014). */
export class OAuthRecords {
  readonly #secrets: () => PluginSecretStore | undefined;
  readonly #changes = new Map<string, Promise<unknown>>();
  readonly #running = new Map<string, Promise<unknown>>();

  /** @param secrets - returns the secrets of the plugin; undefined on a host without a key for them */
  constructor(secrets: () => PluginSecretStore | undefined) {
    this.#secrets = secrets;
  }

  /**
   * Returns the stored authorization of a server.
   * @param target - the server
   */
  async get(target: OAuthTarget): Promise<OAuthRecord> {
    const text = await this.#secrets()?.get(nameOf(target));
    // Only this class writes the secret.
    return text === undefined ? {} : (JSON.parse(text) as OAuthRecord);
  }

  /**
   * Changes the stored authorization of a server; changes of one server happen one after the other.
   * @param target - the server
   * @param change - fields to replace, or a function that returns them
   * @throws McpAuthError on a host that cannot store secrets
   */
  async update(
    target: OAuthTarget,
    change: Partial<OAuthRecord> | ((record: OAuthRecord) => Partial<OAuthRecord>),
  ): Promise<void> {
    const secrets = this.#secrets();
    if (secrets === undefined) {
      throw new McpAuthError(
        target.name,
        "this host has no key for secrets",
        "set the master key of the gateway",
      );
    }
    const name = nameOf(target);
    const apply = async () => {
      const record = await this.get(target);
      const fields = typeof change === "function" ? change(record) : change;
      await secrets.set(name, JSON.stringify({ ...record, ...fields }));
    };
    const earlier = this.#changes.get(name) ?? Promise.resolve();
    const done = earlier.catch(() => undefined).then(apply);
    this.#changes.set(name, done);
    await done;
  }

  /**
   * Runs work for a server, or waits for the same work that runs already, so that a refresh token is used once.
   * @param target - the server
   * @param work - refreshes its tokens
   */
  async once(target: OAuthTarget, work: () => Promise<void>): Promise<void> {
    const name = nameOf(target);
    const running = this.#running.get(name) ?? work().finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    await running;
  }

  /**
   * Removes the stored authorization of a server.
   * @param target - the server
   * @returns true when something was stored
   */
  async remove(target: OAuthTarget): Promise<boolean> {
    return (await this.#secrets()?.delete(nameOf(target))) === true;
  }
}

function nameOf({ key, url }: OAuthTarget): string {
  return `oauth-${createHash("sha256").update(`${key} ${url}`).digest("hex").slice(0, 40)}`;
}
