import type { Selectable } from "kysely";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { SecretColumns } from "./schema.js";

/** Owner and name, which identify a secret. */
export interface SecretKey {
  /** User that the secret belongs to; `operator` for those of the configuration. */
  readonly owner: string;
  readonly name: string;
}

/** Encrypted value; each part is base64. */
export interface SealedValue {
  /** ID of the master key, which is not stored. */
  readonly keyId: string;
  readonly salt: string;
  readonly nonce: string;
  readonly ciphertext: string;
  readonly tag: string;
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
   * Records a use of a secret (HOST-016).
   * @param key - owner and name
   * @param by - user of the value
   */
  used(key: SecretKey, by: string): Promise<void>;
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
        await table.#update({ owner, name }, columns);
      }
      return isNew;
    });
  }

  async reseal(key: SecretKey, value: SealedValue): Promise<void> {
    await this.#update(key, sealedColumns(value));
  }

  async used(key: SecretKey, by: string): Promise<void> {
    const last_used_at = await this.#unit.clock();
    await this.#update(key, { last_used_at, last_used_by: encodeText(by) });
  }

  async remove({ owner, name }: SecretKey): Promise<boolean> {
    const { numDeletedRows } = await this.#unit
      .query()
      .deleteFrom("secrets")
      .where("owner", "=", encodeText(owner))
      .where("name", "=", encodeText(name))
      .executeTakeFirst();
    return numDeletedRows > 0n;
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
