import { randomBytes } from "node:crypto";
import type { MethodScope } from "@openclaw/protocol";
import { hashToken } from "./token-hash.js";

/** Token of a client with limited rights, an entry of `gateway.auth.tokens` (GW-014). */
export interface NamedToken {
  /** Name, also the first part of the token; the log and the audit log contain it. */
  readonly name: string;
  /** scrypt hash of the token as a PHC string. */
  readonly hash: string;
  readonly scopes: readonly MethodScope[];
  /** Time after which the token is rejected, in ISO 8601. */
  readonly expiresAt?: string | undefined;
  /** Requests per minute instead of the limit of every token; 0 for no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** Chat messages per minute instead of the limit of every token; 0 for no limit. */
  readonly chatSendsPerMinute?: number | undefined;
}

/** Form of a token's name. */
const TOKEN_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * Creates a token. Its text starts with its name, so that only the hash of that name is computed for a request.
 * @param name - lower-case letters, digits, `-` and `_`
 * @returns the token, to be shown once, and its hash for the configuration
 */
export async function createNamedToken(
  name: string,
): Promise<{ readonly token: string; readonly hash: string }> {
  const token = `${name}.${randomBytes(32).toString("base64url")}`;
  return { token, hash: await hashToken(token) };
}

/**
 * Returns the name in a presented token.
 * @param token - token from a client
 * @returns undefined for a token without a name, such as that of the gateway
 */
export function nameInToken(token: string): string | undefined {
  const end = token.indexOf(".");
  const name = token.slice(0, Math.max(0, end));
  return TOKEN_NAME.test(name) ? name : undefined;
}
