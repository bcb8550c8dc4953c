import type { Store } from "@openclaw/store";
import { gate } from "./gate.js";

/** Names of calls that change nothing. */
const READ =
  /^(get|load|latest|list|count|of$|inState|unfinished|undelivered|live|pending|migrations)/;

/**
 * The life of one process: its fault points are counted, and at one of them it is killed. From then on
 * nothing that it has begun comes back, and nothing more of it reaches the world.
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
   * @param killAt - number of the fault point at which it dies, from 0
   * @param kill - ends it; by default it only stops to come back
   */
  constructor(killAt: number, kill?: () => void) {
    this.#killAt = killAt;
    this.#kill = kill;
  }

  /** Fault points that were passed. */
  get points(): number {
    return this.#points;
  }

  /** Resolves when it is dead and nothing of it is on its way to the database any more. */
  get died(): Promise<void> {
    return this.#died.passed;
  }

  /** A fault point: comes back unless the process dies here, or is dead. */
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
   * A store's handle in this process; before and after each write is a fault point.
   * @param store - outlives the process
   */
  handle(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name === "transaction") {
          return (work: (unit: Store) => Promise<unknown>) =>
            this.#write(() => store.transaction(work));
        }
        if (typeof value === "function") return value.bind(target);
        return this.#wrapped(value);
      },
    });
  }

  /** A context of the store or one of its repositories: its calls are fault points. */
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
