import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Client, Transaction } from "@libsql/client";
import { DatabaseInUseError, StoreUnavailableError } from "../../errors.js";
import { isAnswerLost, isBusy } from "./errors.js";

/** Time until another host may take the database of a host that does not respond. */
const HOLD_MS = 30_000;
const RENEWAL_MS = 10_000;
/** Long enough for a server to restart. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 250;

/** Time of the server, in milliseconds since the epoch. */
export const SERVER_TIME = "cast(unixepoch('subsec') * 1000 as integer)";

const TABLES = [
  `create table if not exists openclaw_commits (
    writer text primary key, number integer not null, at integer not null) strict`,
  `create table if not exists openclaw_host (
    id integer primary key check (id = 1), writer text not null, name text not null, until integer not null) strict`,
  `delete from openclaw_commits where at < ${SERVER_TIME} - 86400000`,
];

/** Options of {@link LibsqlHost.open}. */
export interface LibsqlHostOptions {
  /** The database, for messages. */
  readonly database: string;
  /** Excludes other hosts that also set it. */
  readonly exclusive: boolean;
  /** Time to wait for a server that must report whether a commit succeeded; default 15 s. */
  readonly patienceMs?: number | undefined;
}

/**
 * The hold of one process on a database of a server, to which others can connect too. It has the database alone by a
 * row with its name and an expiry, which every transaction compares while it holds the write lock; and it notes its last
 * commit, so that it can be asked for when the answer to a commit is lost.
 */
export class LibsqlHost {
  readonly #client: Client;
  readonly #options: LibsqlHostOptions;
  readonly #writer = randomUUID();
  #number = 0;
  #renewal: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;

  private constructor(client: Client, options: LibsqlHostOptions) {
    this.#client = client;
    this.#options = options;
  }

  /**
   * Creates the tables that this needs, and takes the database.
   * @param client - client of the server
   * @param options - name and exclusivity
   * @throws DatabaseInUseError when another host has it
   */
  static async open(client: Client, options: LibsqlHostOptions): Promise<LibsqlHost> {
    await client.batch(TABLES, "write");
    const host = new LibsqlHost(client, options);
    if (options.exclusive) {
      await host.#take();
      host.#renewal = setInterval(() => host.#renew(), RENEWAL_MS).unref();
    }
    return host;
  }

  /**
   * Checks in a transaction that no other host has taken the database since.
   * @param transaction - holds the write lock from now on
   * @throws DatabaseInUseError
   */
  async assertHeld(transaction: Transaction): Promise<void> {
    if (!this.#options.exclusive) return;
    const { rows } = await transaction.execute("select writer, name from openclaw_host");
    const [holder] = rows;
    if (holder?.writer === this.#writer) return;
    throw new DatabaseInUseError(this.#options.database, nameOf(holder?.name));
  }

  /**
   * Commits a transaction. When the answer is lost, asks the server whether it succeeded.
   * @throws StoreUnavailableError with reason `unreachable` when nothing was committed, with `outcome-unknown` when the
   *   server could not be asked
   */
  async commit(transaction: Transaction): Promise<void> {
    this.#number += 1;
    const number = this.#number;
    try {
      await transaction.execute({
        sql: `insert into openclaw_commits (writer, number, at) values (?, ?, ${SERVER_TIME})
          on conflict (writer) do update set number = excluded.number, at = excluded.at`,
        args: [this.#writer, number],
      });
      await transaction.commit();
    } catch (error) {
      if (!isAnswerLost(error) || !(await this.#wasKept(number))) throw error;
    }
  }

  /** Gives the database back, and deletes the note of the last commit. */
  async end(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#renewing;
    const statements = ["openclaw_commits", "openclaw_host"].map((table) => ({
      sql: `delete from ${table} where writer = ?`,
      args: [this.#writer],
    }));
    // A note that cannot be deleted now is deleted by another process a day later, and the hold expires.
    await this.#client.batch(statements, "write").catch(() => undefined);
  }

  async #take(): Promise<void> {
    const { database } = this.#options;
    const results = await this.#client.batch(
      [
        {
          sql: `insert into openclaw_host (id, writer, name, until) values (1, ?, ?, ${SERVER_TIME} + ${HOLD_MS})
            on conflict (id) do update set writer = excluded.writer, name = excluded.name, until = excluded.until
            where until < ${SERVER_TIME}`,
          args: [this.#writer, `process ${process.pid} of ${hostname()}`],
        },
        "select writer, name from openclaw_host",
      ],
      "write",
    );
    const holder = results[1]?.rows[0];
    if (holder?.writer === this.#writer) return;
    throw new DatabaseInUseError(database, nameOf(holder?.name));
  }

  /** A failure is ignored: the next attempt follows, and no transaction begins when another host took the database. */
  #renew(): void {
    this.#renewing ??= this.#client
      .execute({
        sql: `update openclaw_host set until = ${SERVER_TIME} + ${HOLD_MS} where writer = ?`,
        args: [this.#writer],
      })
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        this.#renewing = undefined;
      });
  }

  /** A transaction whose commit did not arrive ends when the server notices; until then the write lock is taken. */
  async #wasKept(number: number): Promise<boolean> {
    const { database, patienceMs = PATIENCE_MS } = this.#options;
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        const [, result] = await this.#client.batch(
          [
            `update openclaw_commits set at = at where writer = ''`,
            {
              sql: "select 1 from openclaw_commits where writer = ? and number = ?",
              args: [this.#writer, number],
            },
          ],
          "write",
        );
        return (result?.rows.length ?? 0) > 0;
      } catch (cause) {
        const isTransient = isBusy(cause) || isAnswerLost(cause);
        if (!isTransient || performance.now() > deadline) {
          throw new StoreUnavailableError(database, "outcome-unknown", { cause });
        }
        await delay(PAUSE_MS);
      }
    }
  }
}

function nameOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
