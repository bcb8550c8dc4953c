import { randomBytes } from "node:crypto";
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { OAuthRecord, OAuthRecords } from "./record.js";
import type { OAuthTarget } from "./target.js";

/**
 * Returns the client of the operator for an authorization server, or the one that was registered there.
 * @param target - the server
 * @param record - its stored authorization
 * @param issuer - authorization server
 * @returns undefined when there is none, or when the one of the operator belongs to another authorization server
 */
export function clientAt(
  { settings: { clientId, clientSecret } }: OAuthTarget,
  { clients = {} }: OAuthRecord,
  issuer: string | undefined,
): StoredOAuthClientInformation | undefined {
  const known = Object.values(clients);
  if (clientId === undefined) return issuer === undefined ? known.at(-1) : clients[issuer];
  // The secret of the operator's client is for the authorization server that saw it first.
  const bound = known.find((each) => each.client_id === clientId)?.issuer ?? issuer;
  return {
    client_id: clientId,
    ...defined({ client_secret: clientSecret, issuer: bound }),
  };
}

/** Client of the authorization servers of one MCP server during a login, for the library. */
export class OAuthClient implements OAuthClientProvider {
  readonly #records: OAuthRecords;
  readonly #target: OAuthTarget;
  readonly #redirectUrl: string;
  readonly #onPage: (page: URL) => void;
  /** The library prefers it to registration where the authorization server reads such documents. */
  readonly clientMetadataUrl?: string;

  /**
   * @param target - the server
   * @param records - stored authorizations
   * @param redirectUrl - URL to which the login page sends the browser
   * @param onPage - receives the URL of the login page
   */
  constructor(
    target: OAuthTarget,
    records: OAuthRecords,
    redirectUrl: string,
    onPage: (page: URL) => void,
  ) {
    this.#target = target;
    this.#records = records;
    this.#redirectUrl = redirectUrl;
    this.#onPage = onPage;
    const url = target.settings.clientMetadataUrl ?? target.clientMetadataUrl;
    if (url !== undefined) this.clientMetadataUrl = url;
  }

  get redirectUrl(): string {
    return this.#redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "OpenClaw",
      redirect_uris: [this.#redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  async state(): Promise<string> {
    const state = randomBytes(24).toString("base64url");
    await this.#login({ state });
    return state;
  }

  async clientInformation(
    context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const known = clientAt(this.#target, await this.#record(), context?.issuer);
    if (known === undefined) return undefined;
    if (this.#target.settings.clientId !== undefined) {
      if (known.issuer !== undefined && known.issuer === context?.issuer) {
        await this.saveClientInformation(known, context);
      }
      return known;
    }
    // A client that was registered for another port of this machine would be sent back to it.
    const { redirect_uris: uris } = { redirect_uris: undefined, ...known };
    if (Array.isArray(uris)) return uris.includes(this.#redirectUrl) ? known : undefined;
    return known.client_id === this.clientMetadataUrl ? known : undefined;
  }

  async saveClientInformation(
    information: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    const issuer = context?.issuer ?? information.issuer ?? "";
    await this.#records.update(this.#target, ({ clients }) => ({
      clients: { ...clients, [issuer]: information },
    }));
  }

  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    const { tokens } = await this.#record();
    const isOther = context !== undefined && tokens?.issuer !== context.issuer;
    return isOther ? undefined : tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.#records.update(this.#target, storedTokens(tokens));
  }

  redirectToAuthorization(page: URL): void {
    this.#onPage(page);
  }

  async saveCodeVerifier(verifier: string): Promise<void> {
    await this.#login({ verifier });
  }

  async codeVerifier(): Promise<string> {
    const { login } = await this.#record();
    if (login?.verifier === undefined) throw new Error("no login was started");
    return login.verifier;
  }

  async saveDiscoveryState(discovery: OAuthDiscoveryState): Promise<void> {
    await this.#login({ discovery });
  }

  async discoveryState(): Promise<OAuthDiscoveryState | undefined> {
    return (await this.#record()).login?.discovery;
  }

  async invalidateCredentials(
    scope: "all" | "client" | "tokens" | "verifier" | "discovery",
  ): Promise<void> {
    if (scope === "all" || scope === "tokens") {
      await this.#update({ tokens: undefined, expiresAt: undefined });
    }
    if (scope === "all" || scope === "client") await this.#update({ clients: undefined });
    if (scope === "discovery") await this.#login({ discovery: undefined });
  }

  async #login(change: object): Promise<void> {
    await this.#records.update(this.#target, ({ login }) => ({
      login: { redirectUrl: this.#redirectUrl, startedAt: Date.now(), ...login, ...change },
    }));
  }

  async #record(): Promise<OAuthRecord> {
    return await this.#records.get(this.#target);
  }

  async #update(change: Partial<OAuthRecord>): Promise<void> {
    await this.#records.update(this.#target, change);
  }
}

/**
 * Returns tokens in the form in which they are stored.
 * @param tokens - tokens of an authorization server
 */
export function storedTokens(tokens: StoredOAuthTokens): Pick<OAuthRecord, "tokens" | "expiresAt"> {
  const { expires_in: seconds } = tokens;
  return { tokens, expiresAt: seconds === undefined ? undefined : Date.now() + seconds * 1000 };
}
