import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FoundVariable, findVariable } from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import { moveOver } from "@openclaw/foundation/file-replacement";
import type { StateFolder } from "../state/folder.js";
import { type MasterKey, masterKey } from "./cipher.js";
import { SecretKeyError } from "./errors.js";
import { type Keychain, openKeychain } from "./keychain.js";

/** Environment variable of the master key. */
export const MASTER_KEY_VARIABLE = "OPENCLAW_SECRET_KEY";
const VARIABLES = [MASTER_KEY_VARIABLE, "OPENCLAW_SECRETS_MASTER_KEY", "SECRETS_MASTER_KEY"];
const NEXT_VARIABLES = ["OPENCLAW_SECRET_KEY_NEXT"];
const LEAST_BYTES = 32;

/** Content of the key file when the key is in the keychain. */
const IN_KEYCHAIN = "in the keychain: service openclaw, account master_key";

/**
 * Master keys of a state folder: of the environment, else of the keychain of the operating system if its library
 * is installed, else of a file with mode 0600 (HOST-015). The file also says that the key is in the keychain, so
 * that a start without secrets does not open the keychain.
 */
export class MasterKeys {
  readonly #file: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #openKeychain: () => Promise<Keychain | undefined>;

  /**
   * @param state - state folder, which has the key file
   * @param environment - environment variables of the process
   * @param keychain - opens the keychain; that of the operating system when absent
   */
  constructor(
    { dir }: Pick<StateFolder, "dir">,
    environment: NodeJS.ProcessEnv,
    keychain: () => Promise<Keychain | undefined> = openKeychain,
  ) {
    this.#file = join(dir, "secrets.key");
    this.#environment = environment;
    this.#openKeychain = keychain;
  }

  /**
   * Returns the key for new secrets.
   * @param mayCreate - true creates the key file when there is no key; pass it only while no secret is stored
   * @throws SecretKeyError when there is no key, or it cannot be used
   */
  async current(mayCreate: boolean): Promise<MasterKey> {
    const variable = findVariable(VARIABLES, this.#environment);
    if (variable !== undefined) return keyOfVariable(variable);
    if (mayCreate) await this.#create();
    const key = await this.#keyOfFile(this.#file);
    return key ?? this.#fail("there is no key for the stored secrets");
  }

  /**
   * Returns the key with an ID.
   * @param id - ID that a stored secret names
   * @throws SecretKeyError when it is not there, or cannot be used
   */
  async withId(id: string): Promise<MasterKey> {
    const current = await this.current(false);
    if (current.id === id) return current;
    // A rotation that was interrupted after its transaction has the new key in this file.
    const next = await this.#keyOfFile(`${this.#file}.next`);
    if (next?.id !== id) {
      return this.#fail(
        `a secret was encrypted with the key ${id}, and this is the key ${current.id}`,
      );
    }
    await this.#finish();
    return next;
  }

  /**
   * Prepares another key for a rotation.
   * @returns the key, and a function to call once every secret is encrypted with it
   * @throws SecretKeyError when the key is of the environment and the next one is not
   */
  async next(): Promise<{ readonly key: MasterKey; finish(): Promise<string> }> {
    const variable = findVariable(VARIABLES, this.#environment);
    if (variable !== undefined) {
      const next = findVariable(NEXT_VARIABLES, this.#environment);
      const [name] = NEXT_VARIABLES;
      if (next === undefined) {
        throw new SecretKeyError(
          `the key is that of the variable ${variable.name}, which this command cannot change`,
          `set ${name} to the new key, of at least ${LEAST_BYTES} bytes, and run it again`,
        );
      }
      const finish = async () =>
        `set ${variable.name} to the value of ${next.name}, and unset ${next.name}`;
      return { key: keyOfVariable(next), finish };
    }
    const file = `${this.#file}.next`;
    rmSync(file, { force: true });
    createKeyFile(file, newKey());
    const key = (await this.#keyOfFile(file)) ?? this.#fail("the new key could not be written");
    return {
      key,
      finish: async () => {
        const isInKeychain = await this.#finish();
        return `the new key is in ${isInKeychain ? "the keychain" : this.#file}`;
      },
    };
  }

  /** Makes the prepared key the current one, where that is. */
  async #finish(): Promise<boolean> {
    const next = `${this.#file}.next`;
    const isInKeychain = readKeyFile(this.#file) === IN_KEYCHAIN;
    if (isInKeychain) {
      await (await this.#keychain()).write(readFileSync(next, "utf8").trim());
      rmSync(next);
    } else {
      moveOver(next, this.#file);
    }
    return isInKeychain;
  }

  /** Creates a key in the keychain, or takes the one that is there; else creates the key file. */
  async #create(): Promise<void> {
    if (existsSync(this.#file)) return;
    const key = newKey();
    let keychain: Keychain | undefined;
    try {
      keychain = await this.#openKeychain();
      if (keychain !== undefined && (await keychain.read()) === undefined)
        await keychain.write(key);
    } catch (error) {
      // Without a session of the user, as on a server, there is no keychain to unlock.
      if (!SecretKeyError.isInstance(error)) throw error;
      keychain = undefined;
    }
    createKeyFile(this.#file, keychain === undefined ? key : IN_KEYCHAIN);
  }

  async #keychain(): Promise<Keychain> {
    const keychain = await this.#openKeychain();
    if (keychain !== undefined) return keychain;
    throw new SecretKeyError(
      "the key is in the keychain, whose library is not installed",
      "run `npm install @napi-rs/keyring` next to openclaw, or set OPENCLAW_SECRET_KEY",
    );
  }

  async #keyOfFile(file: string): Promise<MasterKey | undefined> {
    const text = readKeyFile(file);
    if (text === undefined) return undefined;
    if (text !== IN_KEYCHAIN) return keyOfText(text, `the key file ${file}`);
    const key = await (await this.#keychain()).read();
    return key === undefined ? undefined : keyOfText(key, "the entry of the keychain");
  }

  #fail(problem: string): never {
    throw new SecretKeyError(
      problem,
      `restore ${this.#file} or set ${VARIABLES[0]}; without the key, delete the secrets and set them again`,
    );
  }
}

/** Returns the text of a key file; undefined when it does not exist. */
function readKeyFile(file: string): string | undefined {
  try {
    if ((statSync(file).mode & 0o077) !== 0) {
      throw new SecretKeyError(
        `other users can access the key file ${file}`,
        `run \`chmod 600 ${file}\`, and rotate the key if others may have read it`,
      );
    }
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (SecretKeyError.isInstance(error)) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new SecretKeyError(
      `cannot read the key file ${file} (${errorMessage(error)})`,
      "make it readable for this user",
      error,
    );
  }
}

function keyOfText(text: string, place: string): MasterKey {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length >= LEAST_BYTES) return masterKey(bytes);
  throw new SecretKeyError(
    `${place} does not contain a key: expected ${LEAST_BYTES} bytes in base64url, found ${bytes.length}`,
    "restore it from a backup",
  );
}

function newKey(): string {
  return randomBytes(LEAST_BYTES).toString("base64url");
}

function keyOfVariable({ name, value }: FoundVariable): MasterKey {
  const bytes = Buffer.from(value);
  if (bytes.length >= LEAST_BYTES) return masterKey(bytes);
  throw new SecretKeyError(
    `the variable ${name} has ${bytes.length} bytes`,
    `expected at least ${LEAST_BYTES}, for example of \`openssl rand -base64 32\``,
  );
}

/** Links a complete file into place, so that concurrent starts agree on one key; an existing one stays. */
function createKeyFile(file: string, text: string): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, `${text}\n`, { mode: 0o600, flag: "wx", flush: true });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw new SecretKeyError(
      `cannot write the key file ${file} (${errorMessage(error)})`,
      "make its folder writable for this user",
      error,
    );
  } finally {
    rmSync(draft, { force: true });
  }
}
