import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type ClientBase, DatabaseError, escapeIdentifier } from "pg";
import { encodeText } from "../../database/text-column.js";
import { StoreUnavailableError } from "../../errors.js";
import type { Lease } from "../../jobs/leases.js";
import type { PostgresPlace } from "../database-url.js";

const PAUSE_MS = 250;
/** Long enough for a server to restart. */
const PATIENCE_MS = 15_000;
const DIVISION_BY_ZERO = "22012";

/** Options of {@link PostgresCommits}. */
export interface PostgresCommitOptions {
  /** Time to wait for a server that must report whether a commit succeeded; default 15 s. */
  readonly patienceMs?: number | undefined;
  /** Schema with the leases of the work that writes; that of the place when absent. */
  readonly leaseSchema?: string | undefined;
}

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
  readonly #comparison: string;
  #number = 0;

  /**
   * @param place - the schema
   * @param options - place of the leases, and time to wait
   */
  constructor(
    { name, schema }: PostgresPlace,
    { leaseSchema = schema, patienceMs = PATIENCE_MS }: PostgresCommitOptions,
  ) {
    this.#database = name;
    this.#patienceMs = patienceMs;
    // In the schema of the leases every writer holds the write lock, so that a lease cannot change until the commit.
    const lock = leaseSchema === schema ? "" : "for share";
    // An error ends the transaction, so that the commit that is sent with it rolls back.
    this.#comparison = `select 1 / count(*) from (select 1 from ${escapeIdentifier(leaseSchema)}.leases
      where lease_key = $1 and owner = $2 and token = $3 ${lock}) as held`;
  }

  /**
   * Compares the lease of a transaction, writes its mark and commits it, in one round trip.
   * @param client - connection of the transaction
   * @param lease - lease of its work, which must not have been acquired by another owner
   * @returns the number to pass to {@link wasKept}
   */
  commit(
    client: ClientBase,
    lease: Lease | undefined,
  ): { readonly number: number; readonly done: Promise<unknown> } {
    this.#number += 1;
    const compared =
      lease &&
      client.query({
        name: "compare-lease",
        text: this.#comparison,
        values: [encodeText(lease.key), encodeText(lease.owner), lease.token],
      });
    const marked = client.query({
      name: "mark-commit",
      text: `insert into openclaw_commits (writer, number) values ($1, $2)
        on conflict (writer) do update set number = excluded.number, at = default`,
      values: [this.#writer, this.#number],
    });
    return { number: this.#number, done: Promise.all([compared, marked, client.query("commit")]) };
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

/**
 * Returns true for the error of a commit whose work has lost its lease.
 * @param error - error of the commit
 */
export function isStaleLease(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === DIVISION_BY_ZERO;
}
