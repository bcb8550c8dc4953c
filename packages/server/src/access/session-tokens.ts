import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { defined } from "@openclaw/foundation";
import { METHOD_SCOPES, type MethodCaller, type MethodScope } from "@openclaw/protocol";
import type { NamedToken } from "./named-token.js";

/** Lifetime of a session token: a working day, so that a forgotten page does not stay signed in. */
const LIFETIME_MS = 12 * 60 * 60 * 1000;

/** Start of a session token, which no named token has. */
const PREFIX = "session~";

/** Session token, with which a page replaces the one-time ticket that it was opened with. */
export interface SessionToken {
  readonly token: string;
  /** Time after which it is rejected, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Content of a session token. */
export interface SessionClaim {
  /** ID of the caller that the session belongs to. */
  readonly callerId: string;
  readonly scopes: readonly MethodScope[];
  readonly expiresAt: number;
  /** Digest of the named token's hash at the start of the session; absent for the gateway's own token. */
  readonly named?: string | undefined;
}

/** Dependencies of {@link SessionTokens}. */
export interface SessionTokensDependencies {
  /** The gateway's own token. */
  readonly token: string;
  /** Further tokens, with which sessions begin too. */
  readonly tokens?: readonly Pick<NamedToken, "name" | "hash">[] | undefined;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/**
 * Tokens of sessions in a browser (UI-037). A session token is signed with a key that is derived from the gateway's own
 * token: it survives a restart of the gateway, needs no store, and a new token of the gateway ends every session. A session
 * that a named token began ends when that token is removed or replaced, also by one of the same name.
 */
export class SessionTokens {
  readonly #key: Buffer;
  readonly #now: () => number;
  /** Digests of the hashes of named tokens, by their names. */
  readonly #named: ReadonlyMap<string, string>;

  /** @param dependencies - tokens and clock */
  constructor({ token, tokens = [], now }: SessionTokensDependencies) {
    this.#key = Buffer.from(hkdfSync("sha256", token, "", "openclaw session token", 32));
    this.#now = now;
    this.#named = new Map(tokens.map(({ name, hash }) => [name, digestOf(hash)]));
  }

  /**
   * Creates a token with the rights of a caller, valid for 12 hours.
   * @param caller - authenticated caller
   */
  create({ id, scopes }: Pick<MethodCaller, "id" | "scopes">): SessionToken {
    const expiresAt = this.#now() + LIFETIME_MS;
    const named = this.#named.get(id);
    const claim: SessionClaim = { callerId: id, scopes, expiresAt, ...defined({ named }) };
    const payload = Buffer.from(JSON.stringify(claim)).toString("base64url");
    return { token: `${PREFIX}${payload}~${this.#sign(payload)}`, expiresAt };
  }

  /**
   * Reads a token that a client presents. Its expiry is the caller's to check.
   * @param token - token from a client
   * @returns undefined for a token that this gateway did not create as a session token, and when the named token that
   * began the session is not the same any more
   */
  read(token: string): SessionClaim | undefined {
    if (!token.startsWith(PREFIX)) return undefined;
    const [payload = "", signature = ""] = token.slice(PREFIX.length).split("~");
    const expected = Buffer.from(this.#sign(payload));
    const given = Buffer.from(signature);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
    const claim = claimOf(JSON.parse(Buffer.from(payload, "base64url").toString()));
    return claim?.named === this.#named.get(claim?.callerId ?? "") ? claim : undefined;
  }

  #sign(payload: string): string {
    return createHmac("sha256", this.#key).update(payload).digest("base64url");
  }
}

/** Another version of the gateway may have signed a claim of another form. */
function claimOf(value: unknown): SessionClaim | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { callerId, scopes, expiresAt, named }: { [Key in keyof SessionClaim]?: unknown } = value;
  if (typeof callerId !== "string" || typeof expiresAt !== "number") return undefined;
  if (!Array.isArray(scopes)) return undefined;
  if (named !== undefined && typeof named !== "string") return undefined;
  const kept = METHOD_SCOPES.filter((scope) => scopes.includes(scope));
  return { callerId, scopes: kept, expiresAt, ...defined({ named }) };
}

function digestOf(hash: string): string {
  return createHash("sha256").update(hash).digest("base64url");
}
