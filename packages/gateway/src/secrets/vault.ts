import { SECRET_NAME } from "@openclaw/configuration";
import { errorMessage, nearestName } from "@openclaw/foundation";
import {
  JOURNAL_KEY_OWNER,
  type RecordedSecretUse,
  type Store,
  type StoredSecret,
} from "@openclaw/store";
import { openValue, sealValue } from "./cipher.js";
import { SecretInvalidError, SecretKeyError, SecretNotFoundError } from "./errors.js";
import { openExport, sealExport } from "./export-file.js";
import type { MasterKeys } from "./master-keys.js";

/** Owner of the secrets that the configuration refers to. */
const OPERATOR = "operator";
/** Actor of the uses by the host itself. */
const HOST = "host";
/** User of the values of an export, in the log of uses. */
const EXPORT = "secrets export";
/** Maximum size of a value, in bytes. */
const LARGEST_VALUE = 65_536;

/** Secret without its value. */
export interface SecretSummary {
  readonly name: string;
  /** Times in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt?: number | undefined;
  readonly isExpired: boolean;
  readonly lastUsedAt?: number | undefined;
  /** User of the value at its last use, for example a key of the configuration. */
  readonly lastUsedBy?: string | undefined;
}

/** Secrets of a host: encrypted at rest, and never listed with their values (HOST-014 to HOST-017). */
export class SecretVault {
  readonly #store: Pick<Store, "secrets" | "transaction" | "clock">;
  readonly #keys: MasterKeys;

  /** @param store - store of the encrypted values */
  constructor(store: Pick<Store, "secrets" | "transaction" | "clock">, keys: MasterKeys) {
    this.#store = store;
    this.#keys = keys;
  }

  /** Returns the secrets without their values; needs no key. */
  async list(): Promise<readonly SecretSummary[]> {
    const now = await this.#store.clock();
    return (await this.#store.secrets.list(OPERATOR)).map((secret) => summaryOf(secret, now));
  }

  /**
   * Returns uses of secrets, the latest first (HOST-016); also of secrets that were deleted since.
   * @param filter - name of one secret, and maximum number of uses
   */
  async uses(filter: {
    readonly name?: string | undefined;
    readonly limit: number;
  }): Promise<readonly RecordedSecretUse[]> {
    return this.#store.secrets.uses(OPERATOR, filter);
  }

  /**
   * Stores a secret, or replaces its value.
   * @param name - a letter, then letters, digits, dots, hyphens and underscores
   * @param value - value in clear text, at most 64 KiB
   * @param expiresAt - milliseconds since the epoch
   * @returns true when it is new
   * @throws SecretInvalidError, SecretKeyError
   */
  async set(name: string, value: string, expiresAt?: number): Promise<boolean> {
    checkSecret(name, value);
    return this.#store.transaction(async (store) => {
      const stored = await listedSecrets(store);
      const key = await this.#keys.current(stored.length === 0);
      // A second key would make the secrets of the first one unreadable after its next rotation.
      const other = stored.find(({ keyId }) => keyId !== key.id);
      const used = other === undefined ? key : await this.#keys.withId(other.keyId);
      const secret = { owner: OPERATOR, name };
      const sealed = sealValue(value, secret, used);
      return store.secrets.put({ ...secret, ...sealed, expiresAt: expiresAt ?? null });
    });
  }

  /**
   * Deletes a secret; needs no key.
   * @param name - name of the secret
   * @throws SecretNotFoundError
   */
  async delete(name: string): Promise<void> {
    if (await this.#store.secrets.remove({ owner: OPERATOR, name })) return;
    throw new SecretNotFoundError(name, await this.#nearest(name));
  }

  /**
   * Returns the value of a secret, for the parts of the host that use it. Each of them is a use in the log.
   * @param name - name of the secret
   * @param users - users of the value, for example keys of the configuration; at least one
   * @throws SecretNotFoundError when it does not exist or has expired
   * @throws SecretKeyError when it cannot be decrypted
   */
  async read(name: string, users: readonly string[]): Promise<string> {
    const secret = await this.#store.secrets.find({ owner: OPERATOR, name });
    const isValid = secret !== undefined && !isExpired(secret, await this.#store.clock());
    if (!isValid) throw new SecretNotFoundError(name, await this.#nearest(name));
    const value = await this.#open(secret);
    await this.#store.transaction(async (store) => {
      for (const by of users) await store.secrets.used(secret, { actor: HOST, by });
    });
    return value;
  }

  /**
   * Encrypts every secret with another master key, in one transaction.
   * @returns number of secrets, and what the operator has to do with the key
   * @throws SecretKeyError when a secret cannot be decrypted; nothing is changed then
   */
  async rotate(): Promise<{ readonly secrets: number; readonly keyNote: string }> {
    const { key, finish } = await this.#keys.next();
    const secrets = await this.#store.transaction(async (store) => {
      const stored = await listedSecrets(store);
      for (const secret of stored) {
        await store.secrets.reseal(secret, sealValue(await this.#open(secret), secret, key));
      }
      for (const secret of await store.secrets.list(JOURNAL_KEY_OWNER)) {
        // A key of the journal whose master key was lost stays as it is.
        const value = await this.#open(secret).catch(ignoreLostKey);
        if (value === undefined) continue;
        await store.secrets.reseal(secret, sealValue(value, secret, key));
      }
      return stored.length;
    });
    return { secrets, keyNote: await finish() };
  }

  /**
   * Returns all secrets as a text that is encrypted with a passphrase (HOST-017).
   * @param passphrase - at least 12 characters
   * @param actor - caller, for the log of uses
   * @throws SecretInvalidError, SecretKeyError
   */
  async export(passphrase: string, actor: string): Promise<string> {
    const stored = await this.#store.secrets.list(OPERATOR);
    const secrets = await Promise.all(
      stored.map(async (secret) => ({
        name: secret.name,
        value: await this.#open(secret),
        expiresAt: secret.expiresAt,
      })),
    );
    const exported = await sealExport(secrets, passphrase);
    await this.#store.transaction(async (store) => {
      for (const secret of stored) await store.secrets.used(secret, { actor, by: EXPORT });
    });
    return exported;
  }

  /**
   * Stores the secrets of an exported text; those with the same names are replaced.
   * @param text - exported text
   * @param passphrase - passphrase of the export
   * @returns names of the secrets
   * @throws SecretInvalidError, SecretKeyError
   */
  async import(text: string, passphrase: string): Promise<readonly string[]> {
    const secrets = await openExport(text, passphrase);
    for (const { name, value } of secrets) checkSecret(name, value);
    for (const { name, value, expiresAt } of secrets) {
      await this.set(name, value, expiresAt ?? undefined);
    }
    return secrets.map(({ name }) => name);
  }

  async #open(secret: StoredSecret): Promise<string> {
    const key = await this.#keys.withId(secret.keyId);
    try {
      return openValue(secret, secret, key);
    } catch (error) {
      throw new SecretKeyError(
        `the secret "${secret.name}" cannot be decrypted (${errorMessage(error)})`,
        "its row was changed or is damaged; delete it and set it again",
      );
    }
  }

  async #nearest(name: string): Promise<string | undefined> {
    const stored = await this.#store.secrets.list(OPERATOR);
    return nearestName(
      name,
      stored.map((secret) => secret.name).filter((each) => each !== name),
    );
  }
}

/**
 * Checks name and size of a secret.
 * @param name - name of the secret
 * @param value - value in clear text
 * @throws SecretInvalidError
 */
export function checkSecret(name: string, value: string): void {
  if (!SECRET_NAME.test(name)) {
    throw new SecretInvalidError(
      `"${name}" is not the name of a secret; it starts with a letter and has at most 128 letters, digits, dots, hyphens and underscores`,
    );
  }
  const bytes = Buffer.byteLength(value);
  if (bytes === 0 || bytes > LARGEST_VALUE) {
    throw new SecretInvalidError(
      `the value of "${name}" has ${bytes} bytes; expected 1 to ${LARGEST_VALUE}`,
    );
  }
}

/**
 * Returns the secrets of the operator and of plugins. Keys of the journal are not among them: when their master key was
 * lost, others are created.
 * @param store - stored secrets
 */
export async function listedSecrets({
  secrets,
}: Pick<Store, "secrets">): Promise<readonly StoredSecret[]> {
  return (await secrets.list()).filter(({ owner }) => owner !== JOURNAL_KEY_OWNER);
}

function ignoreLostKey(error: unknown): undefined {
  if (!SecretKeyError.isInstance(error)) throw error;
}

function isExpired({ expiresAt }: StoredSecret, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function summaryOf(secret: StoredSecret, now: number): SecretSummary {
  const { name, createdAt, updatedAt, expiresAt, lastUsedAt, lastUsedBy } = secret;
  return {
    name,
    createdAt,
    updatedAt,
    expiresAt: expiresAt ?? undefined,
    isExpired: isExpired(secret, now),
    lastUsedAt: lastUsedAt ?? undefined,
    lastUsedBy: lastUsedBy ?? undefined,
  };
}
