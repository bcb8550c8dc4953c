import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import { type SuspendedRun, selectRuns } from "./run.js";

/** Time in milliseconds after which another host takes over the runs of a host that shows no life. */
const ALIVE_MS = 60_000;

/** Interval in milliseconds in which a host shows that its runs are alive. */
export const TOUCH_MS = 20_000;

/** Work on runs that a process left when it died (LOB-025, LOB-032). */
export class InterruptedRuns {
  readonly #database: () => Promise<PluginDatabase>;
  readonly #now: () => number;

  /**
   * @param database - opens the database of the plugin
   * @param now - returns milliseconds since the epoch
   */
  constructor(database: () => Promise<PluginDatabase>, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * Returns true when no other host uses the database: a database file has one host, a server may have several.
   */
  async isOnlyHost(): Promise<boolean> {
    return (await this.#database()).dialect === "sqlite";
  }

  /**
   * Releases runs that were claimed and whose next stage had not started, and ends runs that were killed during a stage,
   * because their outcome is unknown. Runs of other hosts count as killed after a minute without a sign of life.
   */
  async recover(): Promise<void> {
    const database = await this.#database();
    const before = await this.#before();
    await database.query(
      "update runs set status = 'suspended' where status = 'claimed' and changed_at < $1",
      [before],
    );
    await database.query(
      `update runs set status = 'failed', told = 0, continuation = '', changed_at = $2
       where status = 'running' and changed_at < $1`,
      [before, this.#now()],
    );
  }

  /** Returns the suspended runs whose approval request was not stored. */
  async withoutRequest(): Promise<readonly SuspendedRun[]> {
    return await selectRuns(
      await this.#database(),
      "where status = 'suspended' and need = 'approval' and approval_id is null and changed_at < $1",
      [await this.#before()],
    );
  }

  /** Returns the suspended runs that wait for the decision of a person. */
  async waiting(): Promise<readonly SuspendedRun[]> {
    return await selectRuns(
      await this.#database(),
      "where status = 'suspended' and approval_id is not null",
      [],
    );
  }

  /** Returns the runs that have ended and whose session does not know it. */
  async untold(): Promise<readonly SuspendedRun[]> {
    return await selectRuns(await this.#database(), "where told = 0 and changed_at < $1", [
      await this.#before(),
    ]);
  }

  async #before(): Promise<number> {
    return (await this.isOnlyHost()) ? Number.MAX_SAFE_INTEGER : this.#now() - ALIVE_MS;
  }
}
