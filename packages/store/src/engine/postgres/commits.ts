import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { ClientBase } from "pg";
import { StoreUnavailableError } from "../../errors.js";

const PAUSE_MS = 250;

/**
 * Table that a schema needs before its first transaction; drops the marks of hosts that no longer
 * exist.
 */
export const COMMIT_TABLE = `
  create table if not exists openclaw_commits (
    writer text primary key, number bigint not null, at timestamptz not null default clock_timestamp()
  );
  delete from openclaw_commits where at < clock_timestamp() - interval '1 day'`;

/**
 * Last commit of this process, recorded by the transaction itself. When a connection is lost during
 * a commit, the process reads the record to learn whether the commit succeeded, since the server's
 * response was lost.
 */
export class PostgresCommits {
  readonly #database: string;
  readonly #patienceMs: number;
  readonly #writer = randomUUID();
  #number = 0;

  /**
   * @param database - the database, for messages
   * @param patienceMs - time to wait for a server that must report whether a commit succeeded
   */
  constructor(database: string, patienceMs: number) {
    this.#database = database;
    this.#patienceMs = patienceMs;
  }

  /**
   * Writes the mark of a transaction and commits it, in one round trip.
   * @param client - connection of the transaction
   * @returns the number to pass to {@link wasKept}
   */
  commit(client: ClientBase): { readonly number: number; readonly done: Promise<unknown> } {
    this.#number += 1;
    const marked = client.query({
      name: "mark-commit",
      text: `insert into openclaw_commits (writer, number) values ($1, $2)
        on conflict (writer) do update set number = excluded.number, at = default`,
      values: [this.#writer, this.#number],
    });
    return { number: this.#number, done: Promise.all([marked, client.query("commit")]) };
  }

  /**
   * Returns true when a commit whose response did not arrive has succeeded.
   * @param number - number of the last commit
   * @param locked - runs work while no transaction of this process can still be running
   * @throws StoreUnavailableError when the server cannot be reached
   */
  async wasKept(
    number: number,
    locked: (work: (client: ClientBase) => Promise<boolean>) => Promise<boolean>,
  ): Promise<boolean> {
    const deadline = performance.now() + this.#patienceMs;
    for (;;) {
      try {
        return await locked(async (client) => {
          const text = "select 1 from openclaw_commits where writer = $1 and number = $2";
          const { rows } = await client.query(text, [this.#writer, number]);
          return rows.length > 0;
        });
      } catch (cause) {
        if (performance.now() > deadline) {
          throw new StoreUnavailableError(this.#database, "outcome-unknown", { cause });
        }
        await delay(PAUSE_MS);
      }
    }
  }

  /** Deletes the mark when no more commits follow. */
  async forget(client: ClientBase): Promise<void> {
    await client.query("delete from openclaw_commits where writer = $1", [this.#writer]);
  }
}
