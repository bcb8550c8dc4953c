import {
  type AuthProvider,
  extractWWWAuthenticateParams,
  type InsufficientScopeError,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
} from "@modelcontextprotocol/client";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import { ConnectionProblem } from "../server/problem.js";
import { clientAt, storedTokens } from "./client.js";
import { oauthFetch, oauthReason } from "./network.js";
import type { OAuthChallenge, OAuthRecord, OAuthRecords } from "./record.js";
import type { OAuthTarget } from "./target.js";

/** Rest of the life of an access token in milliseconds at which it is refreshed. */
const REFRESH_BEFORE_MS = 60_000;

/** Answers of an authorization server after which only a person can continue. */
const FINAL: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

/**
 * Access tokens of the connections to one server. They are refreshed here; a connection never starts a login, because
 * no person may be there to log in (EXT-014).
 */
export class ServerTokens implements AuthProvider {
  readonly #records: OAuthRecords;
  readonly #target: OAuthTarget;
  readonly #fetch: typeof fetch;

  /**
   * @param target - the server
   * @param records - stored authorizations
   * @param send - network of the host
   */
  constructor(target: OAuthTarget, records: OAuthRecords, send: typeof fetch) {
    this.#target = target;
    this.#records = records;
    this.#fetch = oauthFetch(send);
  }

  async token(): Promise<string | undefined> {
    const record = await this.#records.get(this.#target);
    const { tokens, expiresAt = Number.POSITIVE_INFINITY } = record;
    if (tokens?.refresh_token === undefined) return tokens?.access_token;
    if (expiresAt - Date.now() > REFRESH_BEFORE_MS) return tokens.access_token;
    try {
      await this.#refresh(tokens.access_token);
    } catch (error) {
      // A token that is still valid is used, and refreshed later.
      if (isFinal(error) || expiresAt <= Date.now()) throw error;
    }
    return (await this.#records.get(this.#target)).tokens?.access_token;
  }

  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    await this.#challenged({ scope, resourceMetadataUrl });
    const { tokens } = await this.#records.get(this.#target);
    if (tokens?.refresh_token === undefined) {
      const what = tokens === undefined ? "needs a login" : "does not accept its login any more";
      throw this.#loginNeeded(`${what} (HTTP ${response.status})`);
    }
    await this.#refresh(tokens.access_token);
  }

  /**
   * Keeps the scopes that a server asked for, which the next login requests (step-up).
   * @param error - answer of the server
   * @returns the reason of the failure
   */
  async insufficient(error: InsufficientScopeError): Promise<ConnectionProblem> {
    const { requiredScope: scope, resourceMetadataUrl } = error;
    await this.#challenged({ scope, resourceMetadataUrl });
    const named = scope === undefined ? "" : ` (${scope.slice(0, 200)})`;
    return this.#loginNeeded(`needs more permissions${named}`, "scope");
  }

  async #challenged({
    scope,
    resourceMetadataUrl,
  }: {
    readonly scope: string | undefined;
    readonly resourceMetadataUrl: URL | undefined;
  }): Promise<void> {
    const challenge: OAuthChallenge = defined({
      scope,
      resourceMetadataUrl: resourceMetadataUrl?.href,
    });
    if (Object.keys(challenge).length === 0) return;
    // On a host that cannot store secrets the login itself says so.
    await this.#records.update(this.#target, { challenge }).catch(() => undefined);
  }

  async #refresh(used: string): Promise<void> {
    await this.#records.once(this.#target, async () => {
      const record = await this.#records.get(this.#target);
      // Another request refreshed them meanwhile.
      if (record.tokens?.access_token !== used) return;
      await this.#exchange(record);
    });
  }

  async #exchange(record: OAuthRecord): Promise<void> {
    const { tokens, discovery } = record;
    const client = clientAt(this.#target, record, tokens?.issuer);
    const isOther = client?.issuer !== undefined && client.issuer !== tokens?.issuer;
    if (tokens?.refresh_token === undefined || discovery === undefined || client === undefined) {
      throw this.#loginNeeded("cannot refresh its login");
    }
    if (isOther) throw this.#loginNeeded("has a login of another authorization server");
    const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = discovery;
    try {
      const next = await refreshAuthorization(authorizationServerUrl, {
        ...defined({
          metadata: authorizationServerMetadata,
          resource: resourceMetadata?.resource,
        }),
        clientInformation: client,
        refreshToken: tokens.refresh_token,
        fetchFn: this.#fetch,
      });
      // A scope that the answer leaves out is the one before (RFC 6749, section 6).
      const scope = next.scope ?? tokens.scope;
      await this.#records.update(
        this.#target,
        storedTokens({
          ...next,
          ...defined({ scope, issuer: tokens.issuer }),
        }),
      );
    } catch (error) {
      if (error instanceof OAuthError && FINAL.has(error.code)) {
        await this.#records.update(this.#target, { tokens: undefined, expiresAt: undefined });
        throw this.#loginNeeded("has a login that has expired or was withdrawn");
      }
      const reason = `could not refresh its login (${oauthReason(error)})`;
      throw new ConnectionProblem(reason, "failed", error);
    }
  }

  #loginNeeded(problem: string, kind: "refused" | "scope" = "refused"): ConnectionProblem {
    const { name } = this.#target;
    const nextStep = `run \`openclaw mcp auth ${name}\`, or set its header Authorization`;
    return new ConnectionProblem(`${problem}: ${nextStep}`, kind);
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof ConnectionProblem && error.kind === "refused";
}
