import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@openclaw/foundation";
import type { MethodCaller } from "@openclaw/protocol";
import { RateLimitedError, UnauthorizedError } from "../errors.js";

/** Time for which a ticket is valid. */
export const TICKET_LIFETIME_MS = 60_000;
/** Unused tickets of one caller, so that none can fill the memory. */
const MAXIMUM_TICKETS = 100;

/** One-time token for a URL, with the scopes of its maker (GW-013). */
export interface Ticket {
  readonly ticket: string;
  /** Time in milliseconds for which it is valid. */
  readonly expiresInMs: number;
}

/** Makes and redeems tickets. */
export interface TicketOffice {
  /**
   * Creates a ticket that is valid once, for 60 s.
   * @param caller - authenticated caller, whose scopes the ticket has
   * @throws RateLimitedError when the caller has 100 unused tickets
   */
  create(caller: MethodCaller): Promise<Ticket>;
  /**
   * Uses a ticket.
   * @param ticket - ticket from the client
   * @returns its maker
   * @throws UnauthorizedError when it is unknown, used or expired
   */
  redeem(ticket: string): Promise<MethodCaller>;
}

interface Entry {
  readonly caller: MethodCaller;
  readonly expiresAt: number;
}

/**
 * One-time tickets, for places where a browser cannot send a header: an event stream and a page. They are kept in
 * memory by their digest and expire by the monotonic clock.
 */
export class Tickets implements TicketOffice {
  readonly #clock: Pick<Clock, "now">;
  /** By digest, oldest first. */
  readonly #tickets = new Map<string, Entry>();

  /** @param clock - monotonic clock */
  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  async create(caller: MethodCaller): Promise<Ticket> {
    const now = this.#clock.now();
    for (const [digest, { expiresAt }] of this.#tickets) {
      if (expiresAt > now) break;
      this.#tickets.delete(digest);
    }
    const own = [...this.#tickets.values()].filter((entry) => entry.caller.id === caller.id);
    const [oldest] = own;
    if (own.length >= MAXIMUM_TICKETS && oldest !== undefined) {
      const problem = `the token "${caller.id}" has ${own.length} unused tickets`;
      throw new RateLimitedError(problem, oldest.expiresAt - now);
    }
    const ticket = randomBytes(32).toString("base64url");
    this.#tickets.set(digestOf(ticket), { caller, expiresAt: now + TICKET_LIFETIME_MS });
    return { ticket, expiresInMs: TICKET_LIFETIME_MS };
  }

  async redeem(ticket: string): Promise<MethodCaller> {
    const digest = digestOf(ticket);
    const entry = this.#tickets.get(digest);
    this.#tickets.delete(digest);
    if (entry === undefined || entry.expiresAt <= this.#clock.now()) {
      throw new UnauthorizedError("wrong-ticket");
    }
    return { ...entry.caller, via: "http" };
  }
}

function digestOf(ticket: string): string {
  return createHash("sha256").update(ticket).digest("hex");
}
