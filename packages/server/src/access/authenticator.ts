import { createHash, timingSafeEqual } from "node:crypto";
import { type Clock, defined, Mutex } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { includesScope, METHOD_SCOPES, type MethodCaller } from "@openclaw/protocol";
import { UnauthorizedError, type UnauthorizedReason } from "../errors.js";
import { isLoopbackAddress } from "./client-address.js";
import { FailedAttempts } from "./failed-attempts.js";
import { type NamedToken, nameInToken } from "./named-token.js";
import type { SessionClaim, SessionTokens } from "./session-tokens.js";
import { verifyToken } from "./token-hash.js";

/** ID of the caller that has the gateway's own token. */
export const GATEWAY_CALLER_ID = "gateway";

/** Client that presents a token. */
export interface Client {
  /** IP address, without a port. */
  readonly address: string;
  readonly via: "http" | "websocket";
}

/** Dependencies of {@link Authenticator}. */
export interface AuthenticatorDependencies {
  /** The gateway's own token, with every scope. */
  readonly token: string;
  /** Further token with every scope, which commands on this machine read from the lock of the state folder (GW-900). */
  readonly localToken?: string | undefined;
  readonly tokens?: readonly NamedToken[] | undefined;
  /** Tokens of sessions in a browser; none are accepted when absent. */
  readonly sessions?: Pick<SessionTokens, "read"> | undefined;
  /** Monotonic clock. */
  readonly clock: Pick<Clock, "now">;
  /** Failed attempts that were counted before; none when absent. */
  readonly failures?: FailedAttempts | undefined;
  /** Returns milliseconds since the epoch. */
  now(): number;
  readonly logger: Logger;
}

/** Identifies the callers of a gateway by their tokens, over HTTP and WebSocket (GW-013, GW-014). */
export class Authenticator {
  readonly #digests: readonly Buffer[];
  readonly #tokens: ReadonlyMap<string, NamedToken>;
  readonly #sessions: Pick<SessionTokens, "read"> | undefined;
  /** Failed attempts of addresses, also those of devices. */
  readonly failures: FailedAttempts;
  readonly #time: () => number;
  readonly #logger: Logger;
  /** Names of tokens that were verified, by the digest of the token, so that scrypt runs once for each. */
  readonly #verified = new Map<string, string>();
  readonly #verifying = new Map<string, Promise<boolean>>();
  /** One verification at a time: each takes 32 MiB and a thread that the store and files use too. */
  readonly #scrypt = new Mutex();

  /** @param dependencies - tokens, clocks and log */
  constructor(dependencies: AuthenticatorDependencies) {
    const { token, localToken, tokens = [], clock, now, logger } = dependencies;
    this.#digests = [token, ...(localToken === undefined ? [] : [localToken])].map(digestOf);
    this.#tokens = new Map(tokens.map((each) => [each.name, each]));
    this.#sessions = dependencies.sessions;
    this.failures = dependencies.failures ?? new FailedAttempts(clock);
    this.#time = forwardTime(now, clock);
    this.#logger = logger;
  }

  /**
   * Returns the caller that a token identifies. Every presented token that is wrong counts as a failed attempt of the
   * address; a missing one does not.
   * @param token - token from the client; undefined when it sent none
   * @param client - address and transport
   * @throws UnauthorizedError when the token is missing, wrong or expired
   * @throws RateLimitedError after too many failed attempts, also for a correct token
   */
  async authenticate(token: string | undefined, client: Client): Promise<MethodCaller> {
    if (token === undefined || token === "") throw new UnauthorizedError("missing-token");
    const { address, via } = client;
    this.failures.check(address);
    const caller = await this.#callerOf(token, client);
    if (typeof caller !== "string") return caller;
    this.failures.fail(address);
    this.#logger.warn("authentication failed", { address, via, reason: caller });
    throw new UnauthorizedError(caller);
  }

  async #callerOf(token: string, client: Client): Promise<MethodCaller | UnauthorizedReason> {
    const { via } = client;
    const digest = digestOf(token);
    if (this.#digests.some((own) => timingSafeEqual(digest, own))) {
      return ownCaller(METHOD_SCOPES, client);
    }
    const session = this.#sessions?.read(token);
    if (session !== undefined) return this.#sessionCaller(session, client);
    const named = this.#tokens.get(nameInToken(token) ?? "");
    if (named === undefined) return "wrong-token";
    const { name, scopes, expiresAt } = named;
    if (!(await this.#verify({ token, digest: digest.toString("hex"), named, client }))) {
      return "wrong-token";
    }
    if (expiresAt !== undefined && !(this.#time() < Date.parse(expiresAt))) return "expired-token";
    return { id: name, scopes, via };
  }

  /** A session has the rights that the token it began with still has. */
  #sessionCaller(session: SessionClaim, client: Client): MethodCaller | UnauthorizedReason {
    const { callerId, scopes, expiresAt } = session;
    if (this.#time() >= expiresAt) return "expired-session";
    if (callerId === GATEWAY_CALLER_ID) return { ...ownCaller(scopes, client), isSession: true };
    const named = this.#tokens.get(callerId);
    if (named === undefined) return "wrong-token";
    if (named.expiresAt !== undefined && this.#time() >= Date.parse(named.expiresAt)) {
      return "expired-token";
    }
    const left = scopes.filter((scope) => includesScope(named.scopes, scope));
    return { id: callerId, scopes: left, via: client.via, isSession: true };
  }

  /** Verifies a token once, also when several requests present it at the same time. */
  async #verify({ token, digest, named, client }: Verification): Promise<boolean> {
    const { name, hash } = named;
    if (this.#verified.get(digest) === name) return true;
    const running = this.#verifying.get(digest);
    if (running !== undefined) return running;
    const release = this.failures.reserve(client.address);
    const verifying = this.#scrypt.run(() => verifyToken(token, hash));
    this.#verifying.set(digest, verifying);
    try {
      const isRight = await verifying;
      if (isRight) this.#verified.set(digest, name);
      return isRight;
    } finally {
      this.#verifying.delete(digest);
      release();
    }
  }
}

function ownCaller(scopes: MethodCaller["scopes"], { address, via }: Client): MethodCaller {
  const isLocal = isLoopbackAddress(address) ? true : undefined;
  return { id: GATEWAY_CALLER_ID, scopes, via, ...defined({ isLocal }) };
}

interface Verification {
  readonly token: string;
  readonly digest: string;
  readonly named: NamedToken;
  readonly client: Client;
}

/**
 * Returns a time that a clock set back does not set back, so that an expired token stays expired: the later of the
 * time of day and the time that has passed in the process since the start.
 */
function forwardTime(now: () => number, clock: Pick<Clock, "now">): () => number {
  const started = now() - clock.now();
  return () => Math.max(now(), started + clock.now());
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
