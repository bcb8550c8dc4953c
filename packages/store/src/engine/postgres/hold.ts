import { Client, type ClientConfig } from "pg";
import { DatabaseInUseError } from "../../errors.js";
import { translatePostgresError } from "./errors.js";

/** Server lock of a hold. */
export interface HoldLock {
  readonly number: bigint;
  /** True for one of several nodes, which excludes only a host that wants the schema alone. */
  readonly isShared: boolean;
}

/**
 * Reserves a schema for one host, or for nodes, with a server lock that lasts as long as its connection. When that
 * connection is lost, nothing is written until the lock has been acquired again.
 */
export class PostgresHold {
  readonly #config: ClientConfig;
  readonly #database: string;
  readonly #lock: HoldLock;
  #client: Client | undefined;
  #taking: Promise<void> | undefined;

  /**
   * @param config - connection settings
   * @param database - the database, for messages
   */
  constructor(config: ClientConfig, database: string, lock: HoldLock) {
    this.#config = config;
    this.#database = database;
    this.#lock = lock;
  }

  /**
   * Ensures that this host holds the schema.
   * @throws DatabaseInUseError when another host holds it
   * @throws StoreUnavailableError when the server cannot be reached
   */
  async ensure(): Promise<void> {
    if (this.#client !== undefined) return;
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    await this.#taking;
  }

  /** Releases the schema to other hosts. */
  async release(): Promise<void> {
    await this.#taking?.catch(() => undefined);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  async #take(): Promise<void> {
    const client = new Client(this.#config);
    // The `end` event reports the same loss.
    client.on("error", () => {});
    client.on("end", () => {
      if (this.#client === client) this.#client = undefined;
    });
    try {
      await client.connect();
      const { rows } = await client.query<{ taken: boolean }>(
        `select pg_try_advisory_lock${this.#lock.isShared ? "_shared" : ""}($1) as taken`,
        [this.#lock.number],
      );
      if (rows[0]?.taken !== true) {
        throw new DatabaseInUseError(this.#database, await holderOf(this.#lock.number, client));
      }
      this.#client = client;
    } catch (error) {
      // A broken connection may never report its end, so do not wait for it.
      void client.end().catch(() => undefined);
      throw translatePostgresError(this.#database, error);
    }
  }
}

/** Describes the holder of a lock. */
async function holderOf(lock: bigint, client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string; address: string | null }>(
    `select application_name as name, host(client_addr) as address
      from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and objsubid = 1
        and classid = (($1::bigint >> 32) & 4294967295)::oid and objid = ($1::bigint & 4294967295)::oid`,
    [lock],
  );
  const [holder] = rows;
  if (holder === undefined) return undefined;
  return holder.address === null ? holder.name : `${holder.name} at ${holder.address}`;
}
