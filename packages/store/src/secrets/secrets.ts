import type { Selectable } from "kysely";
import { requireLimit } from "../database/row-limit.js";
import type { SealedValue } from "../database/sealed-value.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { SecretColumns } from "./schema.js";

/** Owner and name, which identify a secret. */
export interface SecretKey {
  /** User that the secret belongs to; `operator` for those of the configuration. */
  readonly owner: string;
  readonly name: string;
}

/** Encrypted secret to store. */
export interface NewSecret extends SecretKey, SealedValue {
  /** Milliseconds since the epoch after which it reads as missing; null for no expiry. */
  readonly expiresAt: number | null;
}

/** Stored secret, without its value in clear text. */
export interface StoredSecret extends NewSecret {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastUsedAt: number | null;
  /** User of the value at its last use, for example a key of the configuration. */
  readonly lastUsedBy: string | null;
}

/** Use of a secret. */
export interface SecretUse {
  /** User of the value: `host`, or the caller of a method. */
  readonly actor: string;
  /** Part of the host that got the value, for example a key of the configuration. */
  readonly by: string;
}

/** Use of a secret in the log. */
export interface RecordedSecretUse extends SecretUse {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Encrypted secrets. The store never sees a value or a key. */
export interface Secrets {
  /**
   * Returns the secrets of an owner by name.
   * @param owner - owner; all owners when absent
   */
  list(owner?: string): Promise<readonly StoredSecret[]>;
  /** Returns a secret, also an expired one. */
  find(key: SecretKey): Promise<StoredSecret | undefined>;
  /**
   * Stores a secret, or replaces the value and the expiry of the one with its name.
   * @param secret - encrypted secret
   * @returns true when it is new
   */
  put(secret: NewSecret): Promise<boolean>;
  /**
   * Replaces the encryption of a stored secret, for another master key.
   * @param key - owner and name
   * @param value - the same value, encrypted again
   */
  reseal(key: SecretKey, value: SealedValue): Promise<void>;
  /**
   * Adds a use of a secret to the log, and marks it as the last one (HOST-016).
   * @param key - owner and name
   * @param use - caller, and part of the host that got the value
   */
  used(key: SecretKey, use: SecretUse): Promise<void>;
  /**
   * Returns uses of secrets, the latest first; also of secrets that were deleted since.
   * @param owner - owner of the secrets
   * @param filter - name of one secret, and maximum number of uses
   * @throws StoreArgumentError when the limit is not a whole number from 1
   */
  uses(
    owner: string,
    filter: { readonly name?: string | undefined; readonly limit: number },
  ): Promise<readonly RecordedSecretUse[]>;
  /**
   * Removes a secret.
   * @returns false when there is none
   */
  remove(key: SecretKey): Promise<boolean>;
}

/** The secrets of a database or transaction. */
export class SecretTable implements Secrets {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async list(owner?: string): Promise<readonly StoredSecret[]> {
    let query = this.#unit.query().selectFrom("secrets").selectAll().orderBy("name");
    if (owner !== undefined) query = query.where("owner", "=", encodeText(owner));
    return (await query.execute()).map(storedSecret);
  }

  async find({ owner, name }: SecretKey): Promise<StoredSecret | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("secrets")
      .selectAll()
      .where("owner", "=", encodeText(owner))
      .where("name", "=", encodeText(name))
      .executeTakeFirst();
    return row && storedSecret(row);
  }

  async put({ owner, name, expiresAt, ...value }: NewSecret): Promise<boolean> {
    return await this.#unit.atomic(async (unit) => {
      const table = new SecretTable(unit);
      const isNew = (await table.find({ owner, name })) === undefined;
      const now = await unit.clock();
      const columns = { ...sealedColumns(value), expires_at: expiresAt, updated_at: now };
      if (isNew) {
        const key = { owner: encodeText(owner), name: encodeText(name) };
        const unused = { created_at: now, last_used_at: null, last_used_by: null };
        await unit
          .query()
          .insertInto("secrets")
          .values({ ...key, ...columns, ...unused })
          .execute();
      } else {
        unit.erases();
        await table.#update({ owner, name }, columns);
      }
      return isNew;
    });
  }

  async reseal(key: SecretKey, value: SealedValue): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      unit.erases();
      await new SecretTable(unit).#update(key, sealedColumns(value));
    });
  }

  async used(key: SecretKey, { actor, by }: SecretUse): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      const at = await unit.clock();
      const used_by = encodeText(by);
      const [owner, name] = [encodeText(key.owner), encodeText(key.name)];
      await unit
        .query()
        .insertInto("secret_uses")
        .values({ owner, name, actor: encodeText(actor), used_by, at })
        .execute();
      await new SecretTable(unit).#update(key, { last_used_at: at, last_used_by: used_by });
    });
  }

  async uses(
    owner: string,
    { name, limit }: { readonly name?: string | undefined; readonly limit: number },
  ): Promise<readonly RecordedSecretUse[]> {
    requireLimit("secrets.uses", limit);
    let query = this.#unit
      .query()
      .selectFrom("secret_uses")
      .selectAll()
      .where("owner", "=", encodeText(owner))
      .orderBy("position", "desc")
      .limit(limit);
    if (name !== undefined) query = query.where("name", "=", encodeText(name));
    return (await query.execute()).map((row) => ({
      name: decodeText(row.name),
      actor: decodeText(row.actor),
      by: decodeText(row.used_by),
      at: Number(row.at),
    }));
  }

  async remove({ owner, name }: SecretKey): Promise<boolean> {
    return await this.#unit.atomic(async (unit) => {
      unit.erases();
      const { numDeletedRows } = await unit
        .query()
        .deleteFrom("secrets")
        .where("owner", "=", encodeText(owner))
        .where("name", "=", encodeText(name))
        .executeTakeFirst();
      return numDeletedRows > 0n;
    });
  }

  async #update({ owner, name }: SecretKey, columns: Partial<SecretColumns>): Promise<void> {
    await this.#unit
      .query()
      .updateTable("secrets")
      .set(columns)
      .where("owner", "=", encodeText(owner))
      .where("name", "=", encodeText(name))
      .execute();
  }
}

function sealedColumns({ keyId, salt, nonce, ciphertext, tag }: SealedValue) {
  return { key_id: keyId, salt, nonce, ciphertext, tag };
}

function storedSecret(row: Selectable<SecretColumns>): StoredSecret {
  const { key_id: keyId, salt, nonce, ciphertext, tag } = row;
  return {
    owner: decodeText(row.owner),
    name: decodeText(row.name),
    keyId,
    salt,
    nonce,
    ciphertext,
    tag,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastUsedBy: row.last_used_by === null ? null : decodeText(row.last_used_by),
  };
}
