import type { IncomingMessage } from "node:http";
import { defined, type Timers } from "@openclaw/foundation";
import type { MethodCaller } from "@openclaw/protocol";
import { UnauthorizedError } from "../errors.js";
import {
  Authenticator,
  type AuthenticatorDependencies,
  type Client,
  GATEWAY_CALLER_ID,
} from "./authenticator.js";
import {
  type CallRates,
  DEFAULT_CALL_RATES,
  LOCAL_CALL_RATES,
  TokenCallLimits,
} from "./call-rates.js";
import type { FailedAttempts } from "./failed-attempts.js";
import { type AccessLimits, DEFAULT_ACCESS_LIMITS } from "./limits.js";
import type { NamedToken } from "./named-token.js";
import { type NodeCountsDependencies, shareCounts } from "./node-counts.js";
import { NodeTickets, type NodeTicketsDependencies } from "./node-tickets.js";
import {
  type OriginatingRequest,
  ServedOrigins,
  type ServedOriginsOptions,
} from "./served-origins.js";
import { SessionTokens } from "./session-tokens.js";
import { type TicketOffice, Tickets } from "./tickets.js";
import { type RoutedRequest, TrustedProxies } from "./trusted-proxies.js";

/** Options of {@link GatewayAccess}. */
export interface AccessOptions
  extends Omit<AuthenticatorDependencies, "sessions">,
    ServedOriginsOptions {
  /** Addresses and networks of reverse proxies, `gateway.trustedProxies`. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Limits other than the defaults. */
  readonly limits?: Partial<AccessLimits> | undefined;
  /** Store of a gateway that shares its database with others; undefined for one that has it alone. */
  readonly store?: NodeTicketsDependencies["store"] | undefined;
  /** Limits of the gateway's own token other than the limits of every token. */
  readonly ownRates?: TokenRates | undefined;
}

/** Limits of one token; an absent limit is that of every token. */
type TokenRates = Pick<NamedToken, "requestsPerMinute" | "chatSendsPerMinute">;

type UpgradeRequest = OriginatingRequest & RoutedRequest & Pick<IncomingMessage, "url">;

/** Names of parameters with which clients send tokens in URLs. */
const TOKEN_PARAMETERS = ["token", "access_token", "auth_token", "api_key", "authorization"];

/** Decides who may use a gateway, and how much: tokens, tickets, hosts, origins and limits. */
export class GatewayAccess {
  readonly limits: AccessLimits;
  /** Limits of the calls of each token. */
  readonly calls: TokenCallLimits;
  readonly tickets: TicketOffice;
  /** Tokens of sessions in a browser. */
  readonly sessions: SessionTokens;
  readonly origins: ServedOrigins;
  readonly proxies: TrustedProxies;
  readonly #authenticator: Authenticator;

  /** @param options - tokens, hosts, origins, limits and clocks */
  constructor(options: AccessOptions) {
    const { clock, tokens = [], ownRates } = options;
    this.limits = { ...DEFAULT_ACCESS_LIMITS, ...defined(options.limits ?? {}) };
    this.sessions = new SessionTokens(options);
    this.#authenticator = new Authenticator({ ...options, sessions: this.sessions });
    const { store, token } = options;
    this.tickets = store === undefined ? new Tickets(clock) : new NodeTickets({ token, store });
    this.origins = new ServedOrigins(options);
    this.proxies = new TrustedProxies(options.trustedProxies);
    const rates = new Map<string, TokenRates | undefined>([
      [GATEWAY_CALLER_ID, ownRates],
      ...tokens.map((token) => [token.name, token] as const),
    ]);
    const { limits = {} } = options;
    this.calls = new TokenCallLimits((caller) => {
      const own = rates.get(caller.id);
      const preset = caller.isLocal === true ? LOCAL_CALL_RATES : DEFAULT_CALL_RATES;
      const of = (key: keyof CallRates) => own?.[key] ?? limits[key] ?? preset[key];
      const keyOf = (key: keyof CallRates) => rateKey(key, caller.id, own?.[key] !== undefined);
      return {
        rates: {
          requestsPerMinute: of("requestsPerMinute"),
          chatSendsPerMinute: of("chatSendsPerMinute"),
        },
        keys: {
          requestsPerMinute: keyOf("requestsPerMinute"),
          chatSendsPerMinute: keyOf("chatSendsPerMinute"),
        },
      };
    }, clock);
  }

  /** Failed attempts of addresses. */
  get failures(): FailedAttempts {
    return this.#authenticator.failures;
  }

  /**
   * Counts failed attempts and calls together with the other nodes of a database; see {@link shareCounts}.
   * @param store - the database
   * @param timers - timers of the notices
   * @returns ends it
   */
  share(store: NodeCountsDependencies["store"], timers: Timers): () => void {
    return shareCounts({ access: this, store, timers });
  }

  /**
   * Returns the caller that a token identifies, for example the token of a WebSocket's `connect`.
   * @param token - token from the client; undefined when it sent none
   * @param client - address and transport
   * @throws UnauthorizedError, RateLimitedError
   */
  authenticate(token: string | undefined, client: Client): Promise<MethodCaller> {
    return this.#authenticator.authenticate(token, client);
  }

  /**
   * Checks the host and the origin of a request that is to become a WebSocket.
   * @returns address of the client, for {@link GatewayAccess.authenticate}
   * @throws ForeignRequestError when a page of another origin sent it
   * @throws UnauthorizedError when its URL has a token, which belongs into `connect`
   */
  admitUpgrade(request: UpgradeRequest): string {
    this.origins.checkHost(request);
    this.origins.checkOrigin(request);
    refuseTokenInUrl(request.url ?? "/");
    return this.proxies.clientOf(request);
  }
}

/** Returns the key of the configuration that sets a limit of a caller. */
function rateKey(key: keyof CallRates, callerId: string, isOwn: boolean): string {
  if (!isOwn) return `gateway.limits.${key}`;
  return callerId === GATEWAY_CALLER_ID
    ? `gateway.auth.${key}`
    : `${key} of "${callerId}" in gateway.auth.tokens`;
}

/**
 * Rejects a token in a URL, also one that is wrong (GW-013).
 * @param url - URL or path with a query
 * @throws UnauthorizedError when the query has a parameter for tokens
 */
export function refuseTokenInUrl(url: string): void {
  const query = url.indexOf("?");
  if (query === -1) return;
  const parameters = new URLSearchParams(url.slice(query + 1));
  for (const name of parameters.keys()) {
    if (TOKEN_PARAMETERS.includes(name.toLowerCase())) throw new UnauthorizedError("token-in-url");
  }
}
