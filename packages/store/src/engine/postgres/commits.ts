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

/** Mark of one commit. */
export interface CommitMark {
  readonly writer: string;
  readonly number: number;
}

/**
 * Last commit of each connection of this process, recorded by the transaction itself. When a connection is lost during
 * a commit, the process reads the record to learn whether the commit succeeded, since the server's
 * response was lost.
 */
export class PostgresCommits {
  readonly #database: string;
  readonly #patienceMs: number;
  readonly #process = randomUUID();
  /** ID of each connection, so that no commit waits for the mark of another one. */
  readonly #writers = new WeakMap<ClientBase, string>();
  readonly #comparison: string;
  #connections = 0;
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
    // In the schema of the leases every writer holds the write lock, or shares it, so that a lease cannot change until the
    // commit.
    const lock = leaseSchema === schema ? "" : "for share";
    // An error ends the transaction, so that the commit that is sent with it rolls back.
    this.#comparison = `select 1 / count(*) from (select 1 from ${escapeIdentifier(leaseSchema)}.leases
      where lease_key = $1 and owner = $2 and token = $3 ${lock}) as held`;
  }

  /**
   * Compares the lease of a transaction, writes its mark and commits it, in one round trip.
   * @param client - connection of the transaction
   * @param lease - lease of its work, which must not have been acquired by another owner
   * @returns the mark to pass to {@link wasKept}
   */
  commit(
    client: ClientBase,
    lease: Lease | undefined,
  ): { readonly mark: CommitMark; readonly done: Promise<unknown> } {
    this.#number += 1;
    const mark = { writer: this.#writerOf(client), number: this.#number };
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
      values: [mark.writer, mark.number],
    });
    return { mark, done: Promise.all([compared, marked, client.query("commit")]) };
  }

  /**
   * Returns true when a commit whose response did not arrive has succeeded.
   * @param mark - mark of the last commit of the connection
   * @param locked - runs work while no transaction of this process can still be running
   * @throws StoreUnavailableError when the server cannot be reached
   */
  async wasKept(
    { writer, number }: CommitMark,
    locked: (work: (client: ClientBase) => Promise<boolean>) => Promise<boolean>,
  ): Promise<boolean> {
    const deadline = performance.now() + this.#patienceMs;
    for (;;) {
      try {
        return await locked(async (client) => {
          const text = "select 1 from openclaw_commits where writer = $1 and number = $2";
          const { rows } = await client.query(text, [writer, number]);
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

  /** Deletes the marks when no more commits follow. */
  async forget(client: ClientBase): Promise<void> {
    const all = Array.from({ length: this.#connections }, (_, index) => this.#writer(index));
    await client.query("delete from openclaw_commits where writer = any($1)", [all]);
  }

  #writerOf(client: ClientBase): string {
    const known = this.#writers.get(client);
    if (known !== undefined) return known;
    const writer = this.#writer(this.#connections);
    this.#connections += 1;
    this.#writers.set(client, writer);
    return writer;
  }

  #writer(connection: number): string {
    return `${this.#process}:${connection}`;
  }
}

/**
 * Returns true for the error of a commit whose work has lost its lease.
 * @param error - error of the commit
 */
export function isStaleLease(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === DIVISION_BY_ZERO;
}
