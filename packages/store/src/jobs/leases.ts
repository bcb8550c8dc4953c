import { sql } from "kysely";
import type { Lease } from "../database/lease.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { LeaseLostError } from "../errors.js";

export type { Lease };

/** Leases: of several owners, at most one works on a key (JOB-009). */
export interface Leases {
  /**
   * Acquires a key that is free, expired, or held by the same owner, whose earlier lease is then lost.
   * @param key - name of the work
   * @param owner - ID of the process
   * @param options - time until it expires unless it is renewed; `seize` takes it also from another owner, of whom the
   *   caller knows that it is gone
   * @returns undefined when another owner holds it
   */
  acquire(
    key: string,
    owner: string,
    options: { readonly ttlMs: number; readonly seize?: boolean | undefined },
  ): Promise<Lease | undefined>;
  /**
   * Moves the end of a lease.
   * @param ttlMs - time from now until it expires
   * @returns false when it was lost
   */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;
  /**
   * Moves the end of several leases of one owner, without waiting for other writers.
   * @param ttlMs - time from now until they expire
   * @returns keys of those that were not lost
   */
  renewAll(leases: readonly Lease[], ttlMs: number): Promise<ReadonlySet<string>>;
  /**
   * Checks in a transaction that a lease is held, and keeps others from acquiring the key until the transaction ends.
   * An expired lease that no other owner acquired still counts: no other owner has begun.
   * @throws LeaseLostError when it was lost
   */
  assertHeld(lease: Lease): Promise<void>;
  /** Gives a lease back, unless it was lost. */
  release(lease: Lease): Promise<void>;
  /**
   * Returns the owner of a key.
   * @param key - name of the work
   * @returns undefined when it is free or its lease has expired
   */
  owner(key: string): Promise<string | undefined>;
}

/** The leases of a database or transaction. */
export class LeaseTable implements Leases {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async acquire(
    key: string,
    owner: string,
    { ttlMs, seize = false }: { readonly ttlMs: number; readonly seize?: boolean | undefined },
  ): Promise<Lease | undefined> {
    const now = await this.#unit.clock();
    const expires_at = now + ttlMs;
    const acquired = await this.#unit
      .query()
      .insertInto("leases")
      .values({ lease_key: encodeText(key), owner: encodeText(owner), token: 1, expires_at })
      .onConflict((conflict) => {
        const update = conflict.column("lease_key").doUpdateSet({
          owner: encodeText(owner),
          token: sql<number>`leases.token + 1`,
          expires_at,
        });
        if (seize) return update;
        return update.where(({ eb, or }) =>
          or([eb("leases.owner", "=", encodeText(owner)), eb("leases.expires_at", "<=", now)]),
        );
      })
      .returning("token")
      .executeTakeFirst();
    return acquired && { key, owner, token: Number(acquired.token) };
  }

  async renew(lease: Lease, ttlMs: number): Promise<boolean> {
    const expires_at = (await this.#unit.clock()) + ttlMs;
    const { numUpdatedRows } = await this.#held(lease)
      .set({ expires_at })
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async renewAll(leases: readonly Lease[], ttlMs: number): Promise<ReadonlySet<string>> {
    if (leases.length === 0) return new Set();
    const expires_at = (await this.#unit.clock()) + ttlMs;
    // A query that selects what it changes is not one of the writers, which wait for each other.
    const rows = await this.#unit
      .query()
      .with("renewed", (query) =>
        query
          .updateTable("leases")
          .set({ expires_at })
          .where(({ eb, and, or }) =>
            or(
              leases.map(({ key, owner, token }) =>
                and([
                  eb("lease_key", "=", encodeText(key)),
                  eb("owner", "=", encodeText(owner)),
                  eb("token", "=", token),
                ]),
              ),
            ),
          )
          .returning("lease_key"),
      )
      .selectFrom("renewed")
      .select("lease_key")
      .execute();
    return new Set(rows.map(({ lease_key }) => decodeText(lease_key)));
  }

  async assertHeld(lease: Lease): Promise<void> {
    // An update, because it locks the row until the transaction ends.
    const { numUpdatedRows } = await this.#held(lease)
      .set({ token: lease.token })
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new LeaseLostError(lease.key, lease.owner, lease.token);
  }

  async owner(key: string): Promise<string | undefined> {
    const now = await this.#unit.clock();
    const held = await this.#unit
      .query()
      .selectFrom("leases")
      .select("owner")
      .where("lease_key", "=", encodeText(key))
      .where("expires_at", ">", now)
      .executeTakeFirst();
    return held && decodeText(held.owner);
  }

  async release(lease: Lease): Promise<void> {
    // The row stays, so that the numbers of its key never begin again; without an owner, nobody holds it.
    await this.#held(lease).set({ owner: "", expires_at: 0 }).execute();
  }

  #held({ key, owner, token }: Lease) {
    return this.#unit
      .query()
      .updateTable("leases")
      .where("lease_key", "=", encodeText(key))
      .where("owner", "=", encodeText(owner))
      .where("token", "=", token);
  }
}
