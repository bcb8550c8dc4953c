import type { Store } from "@openclaw/store";
import { gate } from "./gate.js";

/** Matches the names of calls that change nothing. */
const READ =
  /^(get|find|firstOfUser|load|last|latest|list|count|of$|inState|unfinished|undelivered|live|pending|migrations)/;

/**
 * Simulates one process: its fault points are counted, and at one of them it is killed. From then on none of
 * its pending work completes, and nothing more of it has an effect.
 */
export class MortalProcess {
  readonly #killAt: number;
  readonly #kill: (() => void) | undefined;
  readonly #died = gate();
  readonly #never = new Promise<never>(() => {});
  #points = 0;
  #writing = 0;
  #isDead = false;

  /**
   * @param killAt - number of the fault point at which it is killed, from 0
   * @param kill - kills it; by default its calls only stop returning
   */
  constructor(killAt: number, kill?: () => void) {
    this.#killAt = killAt;
    this.#kill = kill;
  }

  /** Number of fault points that were passed. */
  get points(): number {
    return this.#points;
  }

  /** Resolves when it is dead and none of its writes is still on its way to the database. */
  get died(): Promise<void> {
    return this.#died.passed;
  }

  /** Passes a fault point: resolves unless the process is killed here or is already dead. */
  async point(): Promise<void> {
    if (!this.#isDead && this.#points === this.#killAt) {
      this.#kill?.();
      this.#isDead = true;
      this.#settle();
    }
    if (this.#isDead) await this.#never;
    this.#points += 1;
  }

  /**
   * Returns a store handle in this process; each write is preceded and followed by a fault point.
   * @param store - store that outlives the process
   */
  handle(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name === "transaction") {
          return (work: (unit: Store) => Promise<unknown>) =>
            this.#write(() => store.transaction(work));
        }
        // Notices between the parts of a process are no writes; a dead one receives none.
        if (name === "topics") return this.#topics(store);
        if (typeof value === "function") return value.bind(target);
        return this.#wrapped(value);
      },
    });
  }

  #topics({ topics }: Store): Store["topics"] {
    return {
      publish: (topic, text) => topics.publish(topic, text),
      whisper: (topic, text) => topics.whisper(topic, text),
      subscribe: (topic, listener) =>
        topics.subscribe(topic, (text, origin) => {
          if (!this.#isDead) listener(text, origin);
        }),
    };
  }

  /** Wraps a context of the store or one of its repositories, so that its calls are fault points. */
  #wrapped(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    return new Proxy(value, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name, target);
        if (typeof method !== "function") return this.#wrapped(method);
        return (...args: unknown[]) => {
          const call = async () => method.apply(target, args);
          if (READ.test(String(name))) return this.#isDead ? this.#never : call();
          return this.#write(call);
        };
      },
    });
  }

  async #write(call: () => Promise<unknown>): Promise<unknown> {
    await this.point();
    this.#writing += 1;
    try {
      return await call();
    } finally {
      this.#writing -= 1;
      this.#settle();
      await this.point();
    }
  }

  #settle(): void {
    if (this.#isDead && this.#writing === 0) this.#died.pass();
  }
}
