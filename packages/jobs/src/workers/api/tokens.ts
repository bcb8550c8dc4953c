import { randomBytes, randomUUID } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";

/** Lifetime of a token in seconds (JOB-040). */
export const TOKEN_SECONDS = 4 * 60 * 60;
const AUDIENCE = "openclaw-worker";
const ALGORITHM = "HS256";

/** A token that a worker has. */
export interface IssuedToken {
  readonly token: string;
  /** ID of the token, without which it is not valid. */
  readonly tokenId: string;
}

/**
 * Tokens of workers (JOB-040): each is signed, bound to one job, and valid until it is revoked. The key is new in each
 * process, so that no token outlives the host that issued it.
 */
export class WorkerTokens {
  readonly #key = randomBytes(32);
  /** IDs of the valid tokens by job. */
  readonly #valid = new Map<string, Set<string>>();
  readonly #now: () => number;

  /** @param now - returns milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Issues a token.
   * @param jobId - job that it is bound to
   */
  async issue(jobId: string): Promise<IssuedToken> {
    const tokenId = randomUUID();
    const issuedAt = Math.floor(this.#now() / 1000);
    const token = await new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM })
      .setSubject(jobId)
      .setAudience(AUDIENCE)
      .setJti(tokenId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_SECONDS)
      .sign(this.#key);
    this.#valid.set(jobId, (this.#valid.get(jobId) ?? new Set()).add(tokenId));
    return { token, tokenId };
  }

  /** Revokes all tokens of a job. */
  revoke(jobId: string): void {
    this.#valid.delete(jobId);
  }

  /**
   * Returns true for a valid token of a job. Its signature is checked in constant time.
   * @param jobId - job that is asked for
   * @param token - token of the request
   */
  async isValid(jobId: string, token: string): Promise<boolean> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        audience: AUDIENCE,
        subject: jobId,
        currentDate: new Date(this.#now()),
      });
      return payload.jti !== undefined && this.#valid.get(jobId)?.has(payload.jti) === true;
    } catch (error) {
      if (error instanceof errors.JOSEError) return false;
      throw error;
    }
  }
}
