import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { errorMessage } from "@openclaw/foundation";
import {
  JOURNAL_KEY_OWNER,
  type JournalCipher,
  type SealedValue,
  type Store,
} from "@openclaw/store";
import { openValue, sealValue } from "./cipher.js";
import { SecretKeyError } from "./errors.js";
import { MASTER_KEY_VARIABLE, type MasterKeys } from "./master-keys.js";

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Key of the journal, with the ID of the secret that contains it. */
interface JournalKey {
  readonly id: string;
  /** As an object: a cipher would make one of the bytes for each step, which costs more than the encryption. */
  readonly key: KeyObject;
}

/**
 * Encrypts the steps of turns with 256-bit AES-GCM (APPR-011). The key is a secret of the store, encrypted with the
 * master key; the run of a step is authenticated, so that rows cannot be exchanged between runs.
 */
export class JournalKeys implements JournalCipher {
  readonly #masterKeys: Pick<MasterKeys, "current" | "withId">;
  readonly #opened = new Map<string, JournalKey>();
  #current: JournalKey | undefined;

  /** @param masterKeys - master keys of the host */
  constructor(masterKeys: Pick<MasterKeys, "current" | "withId">) {
    this.#masterKeys = masterKeys;
  }

  /**
   * Makes the key for new steps available; the first time it is created, and the steps of earlier versions are
   * encrypted. Without the master key of an earlier one, another is created: then earlier steps cannot be read.
   * @param store - store that was opened with these keys
   * @throws SecretKeyError when there is no master key, it cannot be used, or other nodes have another one
   */
  async prepare(store: Store): Promise<void> {
    this.#current = await store.transaction(async (unit) => {
      const stored = await unit.secrets.list();
      const own = stored.filter(({ owner }) => owner === JOURNAL_KEY_OWNER);
      const master = await this.#masterKeys.current(own.length === stored.length);
      for (const secret of own) {
        try {
          return await this.#open(secret.name, secret);
        } catch (error) {
          // Its master key is another one, which may be back at a later start.
          if (!SecretKeyError.isInstance(error)) throw error;
        }
      }
      // Nodes that start at the same time on a new database have created none yet.
      if (own.length > 0) await refuseBesideOthers(unit);
      const bytes = randomBytes(KEY_BYTES);
      const key = { id: randomBytes(ID_BYTES).toString("hex"), key: createSecretKey(bytes) };
      const secret = { owner: JOURNAL_KEY_OWNER, name: key.id };
      const sealed = sealValue(bytes.toString("base64"), secret, master);
      await unit.secrets.put({ ...secret, ...sealed, expiresAt: null });
      this.#current = key;
      if (own.length === 0) await unit.turns.journal.seal();
      return key;
    });
    this.#opened.set(this.#current.id, this.#current);
  }

  seal(step: string, runId: string): string {
    if (this.#current === undefined) {
      throw new Error("journal: a step was written before the key of the journal was prepared");
    }
    const { id, key } = this.#current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce);
    cipher.setAAD(associatedData(runId));
    const text = Buffer.concat([cipher.update(step, "utf8"), cipher.final()]);
    return `${id}:${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64")}`;
  }

  async open(
    sealed: string,
    runId: string,
    findKey: (id: string) => Promise<SealedValue | undefined>,
  ): Promise<string> {
    const id = sealed.slice(0, ID_BYTES * 2);
    try {
      const { key } = this.#opened.get(id) ?? (await this.#find(id, findKey));
      const content = Buffer.from(sealed.slice(id.length + 1), "base64");
      const nonce = content.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associatedData(runId));
      decipher.setAuthTag(content.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = [decipher.update(content.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
      return Buffer.concat(text).toString("utf8");
    } catch (cause) {
      throw new SecretKeyError(
        `the steps of run ${runId} cannot be decrypted (${errorMessage(cause)})`,
        "restore the master key with which they were written, or send the message again",
        cause,
      );
    }
  }

  async #find(
    id: string,
    findKey: (id: string) => Promise<SealedValue | undefined>,
  ): Promise<JournalKey> {
    const sealed = await findKey(id);
    if (sealed === undefined) throw new Error(`their key ${id} is not in the database`);
    return await this.#open(id, sealed);
  }

  async #open(id: string, sealed: SealedValue): Promise<JournalKey> {
    const master = await this.#masterKeys.withId(sealed.keyId);
    const value = openValue(sealed, { owner: JOURNAL_KEY_OWNER, name: id }, master);
    const opened = { id, key: createSecretKey(Buffer.from(value, "base64")) };
    this.#opened.set(id, opened);
    return opened;
  }
}

/** Nodes read each other's journals: a node with another key could continue none of their turns, and they none of its. */
async function refuseBesideOthers({ nodes }: Store): Promise<void> {
  const { own } = nodes;
  if (own === undefined) return;
  const others = (await nodes.list()).filter(({ nodeId, isLive }) => isLive && nodeId !== own);
  if (others.length === 0) return;
  throw new SecretKeyError(
    `the nodes ${others.map(({ name }) => name).join(", ")} of this database have another master key`,
    `give every node the same key: set ${MASTER_KEY_VARIABLE} to it, or copy secrets.key of the state folder of another node`,
  );
}

/** A step cannot be decrypted as one of another run. */
function associatedData(runId: string): Buffer {
  return Buffer.from(runId);
}
