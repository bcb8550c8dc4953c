import { randomUUID } from "node:crypto";
import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import { insertRows } from "../storage/rows.js";
import type { WriteBehind } from "../storage/write-behind.js";

/** Event that counts towards a limit. */
export interface RateHit {
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Dependencies of {@link StoredHits}. */
export interface StoredHitsDependencies {
  /** Opens the database. */
  readonly database: () => Promise<PluginDatabase>;
  readonly writeBehind: WriteBehind;
  /** Called when events could not be stored; they still count in this process. */
  onFailure(error: unknown): void;
}

/** Stores the events of the windows, so that they count after a restart (DHOOK-037). */
export class StoredHits {
  readonly #dependencies: StoredHitsDependencies;
  #waiting: RateHit[] = [];

  /** @param dependencies - database, and time of the writes */
  constructor(dependencies: StoredHitsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Reads the events since a time, and deletes older ones.
   * @param since - milliseconds since the epoch
   */
  async load(since: number): Promise<readonly RateHit[]> {
    const database = await this.#dependencies.database();
    await database.query("delete from rate_hits where hit_at < $1", [since]);
    const rows = await database.query<{ limit_key: string; hit_at: number | bigint }>(
      "select limit_key, hit_at from rate_hits order by hit_at",
    );
    return rows.map(({ limit_key: key, hit_at: at }) => ({ key, at: Number(at) }));
  }

  /**
   * Stores an event soon.
   * @param hit - the event
   */
  add(hit: RateHit): void {
    this.#waiting.push(hit);
    this.#dependencies.writeBehind.schedule(this.#write);
  }

  /**
   * Deletes events before a time.
   * @param before - milliseconds since the epoch
   */
  async prune(before: number): Promise<void> {
    const database = await this.#dependencies.database();
    await database.query("delete from rate_hits where hit_at < $1", [before]);
  }

  readonly #write = async (): Promise<void> => {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      const database = await this.#dependencies.database();
      const rows = batch.map(({ key, at }) => [randomUUID(), key, at]);
      await database.transaction((inside) =>
        insertRows(inside, "insert into rate_hits (id, limit_key, hit_at)", rows),
      );
    } catch (error) {
      this.#dependencies.onFailure(error);
    }
  };
}
