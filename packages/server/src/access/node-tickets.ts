import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { METHOD_SCOPES, type MethodCaller } from "@openclaw/protocol";
import type { Store } from "@openclaw/store";
import { RateLimitedError, UnauthorizedError } from "../errors.js";
import { TICKET_LIFETIME_MS, type Ticket, type TicketOffice } from "./tickets.js";

/** Tickets of one caller in the time for which one is valid. */
const MOST_TICKETS = 100;

/** Dependencies of {@link NodeTickets}. */
export interface NodeTicketsDependencies {
  /** The gateway's own token, which all nodes have. */
  readonly token: string;
  /** The counts and the clock of the database. */
  readonly store: Pick<Store, "callWindows" | "clock">;
}

/**
 * One-time tickets of the nodes of a database (SCALE-513): any node redeems what another one made, because they sign with a
 * key from the token that they share, and the database counts the use. It decides by the database's clock.
 */
export class NodeTickets implements TicketOffice {
  readonly #key: Buffer;
  readonly #store: NodeTicketsDependencies["store"];

  /** @param dependencies - token and store */
  constructor({ token, store }: NodeTicketsDependencies) {
    this.#key = Buffer.from(hkdfSync("sha256", token, "", "openclaw ticket", 32));
    this.#store = store;
  }

  async create(caller: MethodCaller): Promise<Ticket> {
    const { callWindows } = this.#store;
    const waitMs = await callWindows.take(`tickets ${caller.id}`, MOST_TICKETS, TICKET_LIFETIME_MS);
    if (waitMs > 0) {
      const problem = `the token "${caller.id}" made ${MOST_TICKETS} tickets in a minute`;
      throw new RateLimitedError(problem, waitMs);
    }
    const { id, scopes, isSession } = caller;
    const expiresAt = (await this.#store.clock()) + TICKET_LIFETIME_MS;
    const nonce = randomBytes(16).toString("base64url");
    const claim = JSON.stringify({ id, scopes, isSession, expiresAt, nonce });
    const payload = Buffer.from(claim).toString("base64url");
    const ticket = `${payload}.${this.#sign(payload)}`;
    return { ticket, expiresInMs: TICKET_LIFETIME_MS };
  }

  async redeem(ticket: string): Promise<MethodCaller> {
    const [payload = "", signature = ""] = ticket.split(".");
    const expected = Buffer.from(this.#sign(payload));
    const given = Buffer.from(signature);
    const isOurs = expected.length === given.length && timingSafeEqual(expected, given);
    const claim = isOurs ? claimOf(payload) : undefined;
    if (claim === undefined || claim.expiresAt <= (await this.#store.clock())) {
      throw new UnauthorizedError("wrong-ticket");
    }
    const use = `ticket ${createHash("sha256").update(payload).digest("base64url")}`;
    // Counted for longer than it is valid, so that it is never used twice.
    const used = await this.#store.callWindows.take(use, 1, 2 * TICKET_LIFETIME_MS);
    if (used > 0) throw new UnauthorizedError("wrong-ticket");
    return claim.caller;
  }

  #sign(payload: string): string {
    return createHmac("sha256", this.#key).update(payload).digest("base64url");
  }
}

interface Claim {
  readonly caller: MethodCaller;
  readonly expiresAt: number;
}

/** Reads a signed claim, which a node of another version may have written in another form. */
function claimOf(payload: string): Claim | undefined {
  const claim: Record<string, unknown> = JSON.parse(Buffer.from(payload, "base64url").toString());
  const { id, scopes, isSession, expiresAt } = claim;
  if (typeof id !== "string" || typeof expiresAt !== "number" || !Array.isArray(scopes)) {
    return undefined;
  }
  const kept = METHOD_SCOPES.filter((scope) => scopes.includes(scope));
  const caller: MethodCaller = { id, scopes: kept, via: "http" };
  return { expiresAt, caller: isSession === true ? { ...caller, isSession } : caller };
}
