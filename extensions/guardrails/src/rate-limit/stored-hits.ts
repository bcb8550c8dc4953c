import { randomUUID } from "node:crypto";
import type { PluginDatabase } from "@openclaw/plugin-sdk/store";

/** Event that counts towards a limit. */
export interface RateHit {
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Stores the events of the windows, so that they count after a restart (DHOOK-037). */
export class StoredHits {
  readonly #open: () => Promise<PluginDatabase>;
  readonly #onFailure: (error: unknown) => void;
  #waiting: RateHit[] = [];
  #writing: Promise<void> | undefined;

  /**
   * @param open - opens the database
   * @param onFailure - called when events could not be stored; they still count in this process
   */
  constructor(open: () => Promise<PluginDatabase>, onFailure: (error: unknown) => void) {
    this.#open = open;
    this.#onFailure = onFailure;
  }

  /**
   * Reads the events since a time, and deletes older ones.
   * @param since - milliseconds since the epoch
   */
  async load(since: number): Promise<readonly RateHit[]> {
    const database = await this.#open();
    await database.query("delete from rate_hits where hit_at < $1", [since]);
    const rows = await database.query<{ limit_key: string; hit_at: number | bigint }>(
      "select limit_key, hit_at from rate_hits order by hit_at",
    );
    return rows.map(({ limit_key: key, hit_at: at }) => ({ key, at: Number(at) }));
  }

  /**
   * Stores an event soon; events that arrive together are stored together.
   * @param hit - the event
   */
  add(hit: RateHit): void {
    this.#waiting.push(hit);
    this.#writing ??= this.#write();
  }

  /**
   * Deletes events before a time.
   * @param before - milliseconds since the epoch
   */
  async prune(before: number): Promise<void> {
    await (await this.#open()).query("delete from rate_hits where hit_at < $1", [before]);
  }

  /** Resolves when every event is stored. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        // Let events of the same moment join.
        await Promise.resolve();
        const batch = this.#waiting;
        this.#waiting = [];
        const database = await this.#open();
        await database.transaction(async (inside) => {
          for (const { key, at } of batch) {
            await inside.query(
              "insert into rate_hits (id, limit_key, hit_at) values ($1, $2, $3)",
              [randomUUID(), key, at],
            );
          }
        });
      }
    } catch (error) {
      this.#onFailure(error);
    } finally {
      this.#writing = undefined;
    }
  }
}
