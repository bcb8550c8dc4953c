import {
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from "node:crypto";
import type { PlatformAnswer, PlatformRequest } from "../platform-server.js";

const SECONDS = 3600;
const CONNECTOR_ISSUER = "https://api.botframework.com";
const SCOPE = "https://api.botframework.com/.default";

/** Registration of a bot in Microsoft Entra. */
export interface TeamsBot {
  readonly appId: string;
  readonly appPassword: string;
  readonly tenantId: string;
}

/** Claims of a token of the connector that differ from the right ones. */
export interface ConnectorClaims {
  readonly iss?: string;
  readonly aud?: string;
  readonly serviceurl?: string;
  /** Seconds since the epoch. */
  readonly exp?: number;
}

/** Keys and tokens of the fake: those with which Teams signs its requests, and those that it gives to bots. */
export class TeamsIdentity {
  readonly bot: TeamsBot = {
    appId: randomUUID(),
    appPassword: randomBytes(20).toString("base64url"),
    tenantId: randomUUID(),
  };
  readonly #kid = randomBytes(8).toString("hex");
  readonly #private: KeyObject;
  readonly #public: KeyObject;
  /** Tokens of the bot, with the seconds since the epoch at which they expire. */
  readonly #issued = new Map<string, number>();
  #passedS = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    this.#private = privateKey;
    this.#public = publicKey;
  }

  /**
   * Answers a request for metadata, keys or a token; undefined for any other request.
   * @param origin - origin of the server
   */
  answer({ method, path, body }: PlatformRequest, origin: string): PlatformAnswer | undefined {
    if (method === "GET" && path === "/v1/.well-known/openidconfiguration") {
      const keys = `${origin}/v1/.well-known/keys`;
      const algorithms = ["RS256"];
      return {
        body: {
          issuer: CONNECTOR_ISSUER,
          jwks_uri: keys,
          id_token_signing_alg_values_supported: algorithms,
          token_endpoint_auth_methods_supported: ["private_key_jwt"],
        },
      };
    }
    if (method === "GET" && path === "/v1/.well-known/keys") {
      const key = this.#public.export({ format: "jwk" });
      return {
        body: { keys: [{ ...key, use: "sig", kid: this.#kid, endorsements: ["msteams"] }] },
      };
    }
    if (method === "POST" && path.endsWith("/oauth2/v2.0/token")) {
      return this.#token(path, new URLSearchParams(body.toString("utf8")));
    }
    return undefined;
  }

  /** True for an authorization that this fake gave to the bot. */
  isIssued(authorization: string | undefined): boolean {
    const expiry = this.#issued.get(authorization?.replace(/^Bearer /, "") ?? "");
    return expiry !== undefined && Date.now() / 1000 + this.#passedS < expiry;
  }

  /** Lets time pass for the tokens of the bot. */
  advance(seconds: number): void {
    this.#passedS += seconds;
  }

  /** Makes every token that was given invalid. */
  revoke(): void {
    this.#issued.clear();
  }

  /**
   * Returns a token with which Teams signs a request to the bot.
   * @param serviceUrl - service URL of the activity
   * @param claims - claims that differ
   */
  connectorToken(serviceUrl: string, claims: ConnectorClaims = {}): string {
    const now = Math.floor(Date.now() / 1000);
    return this.#sign({
      iss: CONNECTOR_ISSUER,
      aud: this.bot.appId,
      nbf: now - 60,
      exp: now + SECONDS,
      serviceurl: serviceUrl,
      ...claims,
    });
  }

  #token(path: string, form: URLSearchParams): PlatformAnswer {
    const { appId, appPassword, tenantId } = this.bot;
    const refused = (error: string, code: string) => ({
      status: error === "invalid_client" ? 401 : 400,
      body: { error, error_description: `${code}: the request was rejected`, error_codes: [] },
    });
    if (path !== `/${tenantId}/oauth2/v2.0/token`) return refused("invalid_request", "AADSTS90002");
    if (form.get("client_id") !== appId) return refused("unauthorized_client", "AADSTS700016");
    if (form.get("client_secret") !== appPassword)
      return refused("invalid_client", "AADSTS7000215");
    if (form.get("grant_type") !== "client_credentials" || form.get("scope") !== SCOPE) {
      return refused("invalid_scope", "AADSTS70011");
    }
    const now = Math.floor(Date.now() / 1000);
    const token = this.#sign({
      aud: CONNECTOR_ISSUER,
      iss: `https://sts.windows.net/${tenantId}/`,
      appid: appId,
      tid: tenantId,
      nbf: now,
      exp: now + SECONDS,
      jti: randomUUID(),
    });
    this.#issued.set(token, now + this.#passedS + SECONDS);
    return { body: { token_type: "Bearer", expires_in: SECONDS - 1, access_token: token } };
  }

  #sign(payload: object): string {
    const header = { alg: "RS256", kid: this.#kid, typ: "JWT" };
    const text = [header, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const signature = createSign("RSA-SHA256").update(text).sign(this.#private, "base64url");
    return `${text}.${signature}`;
  }
}
