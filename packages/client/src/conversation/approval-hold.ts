import type { ConversationPartner } from "./partner.js";

/** Interval in milliseconds at which requests are kept from expiring. */
const INTERVAL_MS = 20_000;
/** Time in milliseconds after the last input during which a person counts as present. */
const PRESENCE_MS = 15 * 60_000;

/** Keeps the approval requests that a screen shows from expiring while a person is there (APPR-013). */
export class ApprovalHold {
  readonly #partner: Pick<ConversationPartner, "call">;
  readonly #ids = new Set<string>();
  #lastInputAt = Date.now();
  #timer: NodeJS.Timeout | undefined;

  /** @param partner - gateway that has the requests */
  constructor(partner: Pick<ConversationPartner, "call">) {
    this.#partner = partner;
  }

  /** Records that the person is there. */
  input(): void {
    this.#lastInputAt = Date.now();
  }

  /**
   * Begins to hold a request.
   * @param id - ID of a request that is shown
   */
  add(id: string): void {
    this.#ids.add(id);
    this.#timer ??= setInterval(() => this.#hold(), INTERVAL_MS);
    this.#hold();
  }

  /**
   * Stops holding a request.
   * @param id - ID of a request that is settled
   */
  delete(id: string): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.end();
  }

  /** Stops holding requests. */
  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #hold(): void {
    if (Date.now() - this.#lastInputAt > PRESENCE_MS) return;
    for (const id of this.#ids) {
      // Without a connection the request expires as it would without this screen.
      this.#partner.call("approvals.hold", { id }).catch(() => undefined);
    }
  }
}
