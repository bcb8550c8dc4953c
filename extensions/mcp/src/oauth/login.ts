import { timingSafeEqual } from "node:crypto";
import {
  AuthorizationServerMismatchError,
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  RegistrationRejectedError,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import { McpAuthError, McpAuthStateError } from "../errors.js";
import { OAuthClient } from "./client.js";
import { oauthFetch, oauthReason } from "./network.js";
import { LOGIN_MS, type OAuthChallenge, type OAuthRecords } from "./record.js";
import type { OAuthTarget } from "./target.js";

/** The browser returns to a listener on the machine of the person, or to this gateway, never to another place. */
const LOOPBACK =
  /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):[1-9][0-9]{0,4}\/(?:oauth|plugins\/mcp\/login)\/callback$/;

/** Login at the authorization server of an MCP server, in two steps between which a restart may lie (EXT-014). */
export class ServerLogin {
  readonly #target: OAuthTarget;
  readonly #records: OAuthRecords;
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

  /**
   * Starts a login, and ends an earlier one that is open.
   * @param redirectUrl - URL of a listener on the machine of the person
   * @returns URL of the login page
   * @throws McpAuthError
   */
  async start(redirectUrl: string): Promise<string> {
    const isOwn = redirectUrl === this.#target.callbackUrl;
    if (!isOwn && (!LOOPBACK.test(redirectUrl) || !URL.canParse(redirectUrl))) {
      throw this.#failed(
        "the redirect URL must be http://127.0.0.1:PORT/oauth/callback",
        "correct it",
      );
    }
    const challenge = await this.#challenge();
    const { tokens } = await this.#records.get(this.#target);
    const { scopes = [] } = this.#target.settings;
    const scope = computeScopeUnion(scopes.join(" "), challenge.scope, tokens?.scope);
    let page: URL | undefined;
    const client = new OAuthClient(this.#target, this.#records, redirectUrl, (url) => {
      page = url;
    });
    await this.#records.update(this.#target, { login: undefined, challenge });
    try {
      await auth(client, {
        ...this.#options(challenge),
        ...defined({ scope }),
        forceReauthorization: true,
      });
    } catch (error) {
      throw this.#problem(error);
    }
    if (page === undefined) throw this.#failed("there is no login page", "try it again");
    return page.href;
  }

  /**
   * Returns true when a browser returned from the open login of this server.
   * @param query - query of the URL to which it returned
   */
  async isOf(query: URLSearchParams): Promise<boolean> {
    const { login } = await this.#records.get(this.#target);
    const [state = "", ...others] = query.getAll("state");
    return login?.state !== undefined && others.length === 0 && isSame(state, login.state);
  }

  /**
   * Completes a login. Its state is used once, whatever the outcome.
   * @param query - query of the URL to which the browser returned
   * @throws McpAuthError
   */
  async complete(query: URLSearchParams): Promise<void> {
    const { login, challenge = {} } = await this.#records.get(this.#target);
    const again = `start it again with \`openclaw mcp auth ${this.#target.name}\``;
    if (login === undefined || !(await this.isOf(query))) {
      throw new McpAuthStateError(this.#target.name);
    }
    await this.#records.update(this.#target, { login: { ...login, state: undefined } });
    if (Date.now() - login.startedAt > LOGIN_MS) {
      throw this.#failed("the login was not completed within 10 minutes", again);
    }
    const iss = query.get("iss") ?? undefined;
    const metadata = login.discovery?.authorizationServerMetadata;
    try {
      const denied = query.get("error");
      const code = query.get("code");
      if (denied !== null || code === null) {
        validateAuthorizationResponseIssuer({
          iss,
          expectedIssuer: metadata?.issuer,
          issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
        });
        const reason = (denied ?? "no code").replaceAll(/[^a-z_ ]/g, "").slice(0, 60);
        throw this.#failed(`the login was not granted: ${reason}`, again);
      }
      const client = new OAuthClient(this.#target, this.#records, login.redirectUrl, () => {
        // A code that is not accepted must not start another login.
        throw this.#failed("the code of the login was not accepted", again);
      });
      await auth(client, {
        ...this.#options(challenge),
        authorizationCode: code,
        ...defined({ iss }),
      });
    } catch (error) {
      await this.#records.update(this.#target, { login: undefined });
      throw this.#problem(error);
    }
    // The scopes that the server asked for are granted, as far as they are.
    const change = { discovery: login.discovery, login: undefined, challenge: undefined };
    await this.#records.update(this.#target, change);
  }

  /**
   * Removes the login, and revokes its tokens where the authorization server can.
   * @returns outcome of the removal and of the revocation
   */
  async remove(): Promise<{ readonly removed: boolean; readonly revoked: boolean }> {
    const record = await this.#records.get(this.#target);
    const removed = await this.#records.remove(this.#target);
    const { tokens, discovery, clients = {} } = record;
    const token = tokens?.refresh_token ?? tokens?.access_token;
    const metadata = discovery?.authorizationServerMetadata;
    // The type of OpenID metadata does not have it.
    const { revocation_endpoint: endpoint } = { revocation_endpoint: undefined, ...metadata };
    if (token === undefined || typeof endpoint !== "string") return { removed, revoked: false };
    const client = clients[tokens?.issuer ?? ""];
    const id = this.#target.settings.clientId ?? client?.client_id;
    const secret = this.#target.settings.clientSecret ?? client?.client_secret;
    const body = new URLSearchParams({
      token,
      ...defined({ client_id: id, client_secret: secret }),
    });
    // The tokens are removed here whether or not the server can be reached.
    const answer = await this.#fetch(endpoint, { method: "POST", body }).catch(() => undefined);
    await answer?.body?.cancel();
    return { removed, revoked: answer?.ok === true };
  }

  /** Asks the server for what it wants, because not every server publishes it at a known place. */
  async #challenge(): Promise<OAuthChallenge> {
    const { challenge: known = {} } = await this.#records.get(this.#target);
    try {
      const headers = { accept: "application/json, text/event-stream" };
      const answer = await this.#fetch(this.#target.url, { headers });
      await answer.body?.cancel();
      if (answer.status !== 401) return known;
      const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(answer);
      return {
        ...known,
        ...defined({
          scope: scope === undefined ? undefined : (computeScopeUnion(known.scope, scope) ?? scope),
          resourceMetadataUrl: resourceMetadataUrl?.href,
        }),
      };
    } catch (error) {
      throw this.#failed(`the server cannot be reached (${oauthReason(error)})`, "correct its URL");
    }
  }

  #options({ resourceMetadataUrl }: OAuthChallenge) {
    return {
      serverUrl: this.#target.url,
      fetchFn: this.#fetch,
      ...defined({
        resourceMetadataUrl:
          resourceMetadataUrl === undefined ? undefined : new URL(resourceMetadataUrl),
      }),
    };
  }

  #problem(error: unknown): McpAuthError {
    if (McpAuthError.isInstance(error)) return error;
    const { name } = this.#target;
    const again = `start it again with \`openclaw mcp auth ${name}\``;
    if (error instanceof IssuerMismatchError || error instanceof AuthorizationServerMismatchError) {
      return this.#failed(
        "the answer came from another authorization server than the one that was asked",
        `no code was sent to it; ${again}`,
        error,
      );
    }
    const message = error instanceof Error ? error.message : "";
    if (
      error instanceof RegistrationRejectedError ||
      message.includes("dynamic client registration")
    ) {
      const reason = error instanceof RegistrationRejectedError ? ` (HTTP ${error.status})` : "";
      return this.#failed(
        `the authorization server does not register clients by itself${reason}`,
        `register one there, and set mcpServers.${name}.oauth.clientId`,
        error,
      );
    }
    return this.#failed(`the authorization server failed: ${oauthReason(error)}`, again, error);
  }

  #failed(problem: string, nextStep: string, cause?: unknown): McpAuthError {
    return new McpAuthError(this.#target.name, problem, nextStep, cause);
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
