import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { ClientBase } from "pg";
import { StoreUnavailableError } from "../../errors.js";

const PAUSE_MS = 250;

/** What a schema needs before its first transaction; marks of hosts that are no more are dropped. */
export const COMMIT_TABLE = `
  create table if not exists openclaw_commits (
    writer text primary key, number bigint not null, at timestamptz not null default clock_timestamp()
  );
  delete from openclaw_commits where at < clock_timestamp() - interval '1 day'`;

/**
 * The last commit of this process, written down by the transaction itself. When a connection is lost
 * while a commit is on its way, this is how the process learns whether it was kept: a client is told
 * only by an answer, and the answer is what was lost.
 */
export class PostgresCommits {
  readonly #database: string;
  readonly #patienceMs: number;
  readonly #writer = randomUUID();
  #number = 0;

  /**
   * @param database - the database, for messages
   * @param patienceMs - for how long a server is waited for that is to say whether a commit was kept
   */
  constructor(database: string, patienceMs: number) {
    this.#database = database;
    this.#patienceMs = patienceMs;
  }

  /**
   * Writes the mark of a transaction and commits it, in one journey to the server.
   * @param client - where the transaction runs
   * @returns the number to ask {@link wasKept} about
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
   * Whether a commit was kept whose answer did not arrive.
   * @param number - of the last commit
   * @param locked - runs work while no transaction of this process can still be running
   * @throws StoreUnavailableError when the server cannot be asked
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

  /** Drops the mark, when no more commits follow. */
  async forget(client: ClientBase): Promise<void> {
    await client.query("delete from openclaw_commits where writer = $1", [this.#writer]);
  }
}
