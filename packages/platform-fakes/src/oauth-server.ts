import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type LoopbackRequest, LoopbackServer } from "./loopback-server.js";

/** Settings of a fake authorization server. */
export interface OAuthServerOptions {
  /** ID of its only client; default `client`. */
  readonly clientId?: string;
  /** Secret of the client; a public client when absent. */
  readonly clientSecret?: string;
  /** Redirect URIs of the client in addition to `/oauth/callback` on any port of the loopback interface. */
  readonly redirectUris?: readonly string[];
  /** Published metadata: of OAuth, only of OpenID, or none; default `oauth`. */
  readonly metadata?: "oauth" | "openid" | "none";
  /** Lifetime of access tokens in seconds; default 3600. */
  readonly expiresIn?: number;
  /** True registers every client that asks for it as the one of `clientId` (RFC 7591). */
  readonly registersClients?: boolean;
  /** Fields of the published metadata that are added or replaced. */
  readonly publishes?: Readonly<Record<string, unknown>>;
  /** Issuer that answers of the login page name; its own when absent. */
  readonly answersAs?: string;
}

/** Accepted request of a token. */
export interface TokenRequest {
  readonly grantType: "authorization_code" | "refresh_token";
  /** PKCE verifier of a login. */
  readonly verifier?: string;
  /** Refresh token of a refresh. */
  readonly refreshToken?: string;
  readonly accessToken: string;
  /** Server for which the token is issued (RFC 8707). */
  readonly resource?: string;
}

/** Login page that was opened with valid parameters. */
export interface LoginPage {
  readonly state: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scope: string | undefined;
  readonly clientId: string;
  /** Server for which the login is made (RFC 8707). */
  readonly resource?: string;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scope: string | undefined;
}

type Fault =
  | { readonly status: number; readonly error: string }
  | { readonly stops: "answering"; readonly reached: () => void };

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/oauth\/callback$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHOICE = "x-choice-of-the-person";

/** An answer with an error, in the form of OAuth. */
class Rejection extends Error {
  readonly status: number;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

/**
 * Fake of an authorization server with the protocol of OAuth 2.1: metadata, `/authorize`, `/token`, `/revoke` and
 * `/register`. It checks client, redirect URI, PKCE and state; codes work once, and each refresh replaces the refresh token.
 */
export class OAuthServer implements AsyncDisposable {
  /** Login pages that were opened, oldest first. */
  readonly pages: LoginPage[] = [];
  /** Accepted requests of tokens, oldest first. */
  readonly tokens: TokenRequest[] = [];
  /** Revoked tokens. */
  readonly revoked: string[] = [];
  /** Bodies of the registrations of clients, oldest first. */
  readonly registrations: unknown[] = [];
  /** Lifetime of the access tokens that are issued next, in seconds. */
  expiresIn: number;
  readonly #options: OAuthServerOptions;
  readonly #codes = new Map<string, Grant>();
  readonly #refreshTokens = new Set<string>();
  readonly #faults: Fault[] = [];
  readonly #server = new LoopbackServer((request, response) => this.#answer(request, response));

  /** @param options - client, metadata and lifetimes */
  constructor(options: OAuthServerOptions = {}) {
    this.#options = options;
    this.expiresIn = options.expiresIn ?? 3600;
  }

  /** URL of the server, its issuer. */
  get issuer(): string {
    return `http://${this.host}`;
  }

  /** Host and port, for `tools.http.allowHosts`. */
  get host(): string {
    return this.#server.host;
  }

  /** Endpoints for a credential without metadata. */
  get endpoints(): {
    readonly authorization: string;
    readonly token: string;
    readonly revocation: string;
  } {
    const { issuer } = this;
    return {
      authorization: `${issuer}/authorize`,
      token: `${issuer}/token`,
      revocation: `${issuer}/revoke`,
    };
  }

  /**
   * Opens a login page as the browser of a person, who allows or denies the login.
   * @param url - URL of the login page
   * @param choice - choice of the person
   * @returns the URL to which the browser is sent
   * @throws Error when the server does not accept the page's parameters
   */
  async login(url: string, choice: "allow" | "deny" = "allow"): Promise<string> {
    const response = await fetch(url, { redirect: "manual", headers: { [CHOICE]: choice } });
    const location = response.headers.get("location");
    if (location === null) throw new Error(`the login page shows: ${await response.text()}`);
    return location;
  }

  /**
   * Makes the next request of a token fail.
   * @param error - error code, for example `temporarily_unavailable`
   * @param status - HTTP status; some servers use 200
   */
  fail(error: string, status = 400): void {
    this.#faults.push({ status, error });
  }

  /**
   * Lets the next request of a token wait until the client gives up.
   * @returns promise that resolves when the request has arrived
   */
  hang(): Promise<void> {
    return new Promise((reached) => this.#faults.push({ stops: "answering", reached }));
  }

  /** Ends the authorization of all clients: their refresh tokens are rejected. */
  withdraw(): void {
    this.#refreshTokens.clear();
  }

  /** Starts to listen on a free port of the loopback interface. */
  async listen(): Promise<void> {
    await this.#server.listen();
  }

  /** Closes the server and its connections. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #answer(request: LoopbackRequest, response: ServerResponse): void {
    const body = request.body.toString();
    const form = new URLSearchParams(body);
    const url = new URL(request.path, this.issuer);
    const route = `${request.method} ${url.pathname}`;
    try {
      if (route === "GET /authorize") {
        const choice = request.headers[CHOICE] ?? "allow";
        response.writeHead(302, { location: this.#authorize(url.searchParams, choice) }).end();
      } else if (route === "POST /token") {
        const fault = this.#faults.shift();
        if (fault !== undefined && "stops" in fault) {
          fault.reached();
          return;
        }
        if (fault !== undefined) throw new Rejection(fault.status, fault.error);
        this.#checkClient(request, form);
        json(response, 200, this.#issue(form));
      } else if (route === "POST /revoke") {
        this.#checkClient(request, form);
        const token = parameter(form, "token");
        this.#refreshTokens.delete(token);
        this.revoked.push(token);
        response.writeHead(200).end();
      } else if (route === "POST /register" && this.#options.registersClients === true) {
        json(response, 201, this.#register(body));
      } else if (route === `GET ${this.#metadataPath}`) json(response, 200, this.#metadata());
      else throw new Rejection(404, "not_found");
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const about = { error: error.message, error_description: "not shown to people" };
      json(response, error.status, about);
    }
  }

  get #metadataPath(): string | undefined {
    const { metadata = "oauth" } = this.#options;
    if (metadata === "none") return undefined;
    const name = metadata === "oauth" ? "oauth-authorization-server" : "openid-configuration";
    return `/.well-known/${name}`;
  }

  #metadata(): object {
    const { authorization, token, revocation } = this.endpoints;
    return {
      issuer: this.issuer,
      authorization_endpoint: authorization,
      token_endpoint: token,
      revocation_endpoint: revocation,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      ...(this.#options.registersClients === true
        ? { registration_endpoint: `${this.issuer}/register` }
        : {}),
      ...this.#options.publishes,
    };
  }

  #register(body: string): object {
    const asked: unknown = JSON.parse(body);
    this.registrations.push(asked);
    if (typeof asked !== "object" || asked === null) throw new Rejection(400, "invalid_request");
    return { ...asked, client_id: this.#options.clientId ?? "client" };
  }

  #authorize(query: URLSearchParams, choice: unknown): string {
    const { clientId = "client", redirectUris = [] } = this.#options;
    const redirectUri = parameter(query, "redirect_uri");
    // To another place even an error would be sent to an attacker.
    if (!LOOPBACK.test(redirectUri) && !redirectUris.includes(redirectUri)) {
      throw new Rejection(400, "invalid_redirect_uri");
    }
    if (parameter(query, "client_id") !== clientId) throw new Rejection(400, "invalid_client");
    const state = parameter(query, "state");
    const challenge = parameter(query, "code_challenge");
    const scope = query.get("scope") ?? undefined;
    const isValid =
      parameter(query, "response_type") === "code" &&
      parameter(query, "code_challenge_method") === "S256" &&
      CHALLENGE.test(challenge);
    const { answersAs: iss = this.issuer } = this.#options;
    const answer: Record<string, string> = { state, iss };
    if (!isValid) answer.error = "invalid_request";
    else if (choice === "deny") answer.error = "access_denied";
    else {
      const code = randomBytes(16).toString("hex");
      this.#codes.set(code, { challenge, redirectUri, scope });
      answer.code = code;
    }
    const resource = query.get("resource");
    const page = { state, challenge, redirectUri, scope, clientId };
    if (isValid) this.pages.push({ ...page, ...(resource === null ? {} : { resource }) });
    return `${redirectUri}?${new URLSearchParams(answer)}`;
  }

  #checkClient({ headers }: LoopbackRequest, form: URLSearchParams): void {
    const { clientId = "client", clientSecret } = this.#options;
    const basic = /^Basic (.+)$/.exec(headers.authorization ?? "")?.[1];
    const [id, secret] =
      basic === undefined
        ? [form.get("client_id"), form.get("client_secret") ?? undefined]
        : Buffer.from(basic, "base64").toString().split(":").map(decodeURIComponent);
    if (id !== clientId || secret !== clientSecret) throw new Rejection(401, "invalid_client");
  }

  #issue(form: URLSearchParams): object {
    const grantType = parameter(form, "grant_type");
    const accessToken = `access-${randomBytes(16).toString("hex")}`;
    const resource = form.get("resource");
    const issued = { accessToken, ...(resource === null ? {} : { resource }) };
    let scope: string | undefined;
    if (grantType === "authorization_code") {
      const code = parameter(form, "code");
      const grant = this.#codes.get(code);
      // Also a wrong verifier uses the code up, so that it cannot be guessed.
      this.#codes.delete(code);
      const verifier = parameter(form, "code_verifier");
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const isValid =
        grant !== undefined &&
        VERIFIER.test(verifier) &&
        grant.challenge === challenge &&
        grant.redirectUri === form.get("redirect_uri");
      if (!isValid) throw new Rejection(400, "invalid_grant");
      scope = grant.scope;
      this.tokens.push({ grantType, verifier, ...issued });
    } else if (grantType === "refresh_token") {
      const refreshToken = parameter(form, "refresh_token");
      if (!this.#refreshTokens.delete(refreshToken)) throw new Rejection(400, "invalid_grant");
      this.tokens.push({ grantType, refreshToken, ...issued });
    } else throw new Rejection(400, "unsupported_grant_type");
    const refreshToken = `refresh-${randomBytes(16).toString("hex")}`;
    this.#refreshTokens.add(refreshToken);
    return {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: this.expiresIn,
      refresh_token: refreshToken,
      ...(scope === undefined ? {} : { scope }),
    };
  }
}

function parameter(parameters: URLSearchParams, name: string): string {
  const [value, ...others] = parameters.getAll(name);
  if (value !== undefined && value !== "" && others.length === 0) return value;
  throw new Rejection(400, "invalid_request");
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

/**
 * Starts a fake authorization server for tests.
 * @param options - client, metadata and lifetimes
 */
export async function startOAuthServer(options: OAuthServerOptions = {}): Promise<OAuthServer> {
  const server = new OAuthServer(options);
  await server.listen();
  return server;
}
