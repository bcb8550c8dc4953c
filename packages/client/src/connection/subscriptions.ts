import { GatewayOverloadError } from "../errors.js";

/** Maximum size of the session keys in the handshake, in UTF-16 code units of JSON. */
const MAXIMUM_SIZE = 32 * 1024;

/** Sessions whose events a client receives; every connection of the client starts with them. */
export class Subscriptions {
  /** Number of subscribers by session key. */
  readonly #subscribers = new Map<string, number>();

  /** Keys of the sessions, as they were given. */
  get keys(): string[] {
    return [...this.#subscribers.keys()];
  }

  /**
   * Adds a subscriber of a session.
   * @param sessionKey - full or short key; `*` for every session
   * @returns true when it is the first one of this session
   * @throws GatewayOverloadError when the keys do not fit into a handshake
   */
  add(sessionKey: string): boolean {
    const count = this.#subscribers.get(sessionKey) ?? 0;
    if (count === 0 && JSON.stringify([...this.keys, sessionKey]).length > MAXIMUM_SIZE) {
      const keys = `${this.#subscribers.size} sessions are subscribed`;
      throw new GatewayOverloadError(`${keys}, and no more fit; subscribe to "*" instead`);
    }
    this.#subscribers.set(sessionKey, count + 1);
    return count === 0;
  }

  /**
   * Removes a subscriber of a session.
   * @param sessionKey - as it was added
   * @returns true when it was the last one of this session
   */
  remove(sessionKey: string): boolean {
    const count = this.#subscribers.get(sessionKey) ?? 0;
    if (count > 1) this.#subscribers.set(sessionKey, count - 1);
    else this.#subscribers.delete(sessionKey);
    return count === 1;
  }
}
