import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import { type FoundVariable, findVariable } from "../configuration/environment.js";
import type { StateFolder } from "../state/folder.js";
import { type MasterKey, masterKey } from "./cipher.js";
import { SecretKeyError } from "./errors.js";

const VARIABLES = ["OPENCLAW_SECRET_KEY", "OPENCLAW_SECRETS_MASTER_KEY", "SECRETS_MASTER_KEY"];
const NEXT_VARIABLES = ["OPENCLAW_SECRET_KEY_NEXT"];
const LEAST_BYTES = 32;

/** Master keys of a state folder: of the environment, else of a file with mode 0600 (HOST-015). */
export class MasterKeys {
  readonly #file: string;
  readonly #environment: NodeJS.ProcessEnv;

  /**
   * @param state - state folder, which has the key file
   * @param environment - environment variables of the process
   */
  constructor({ dir }: Pick<StateFolder, "dir">, environment: NodeJS.ProcessEnv) {
    this.#file = join(dir, "secrets.key");
    this.#environment = environment;
  }

  /**
   * Returns the key for new secrets.
   * @param mayCreate - true creates the key file when there is no key; pass it only while no secret is stored
   * @throws SecretKeyError when there is no key, or it cannot be used
   */
  current(mayCreate: boolean): MasterKey {
    const variable = findVariable(VARIABLES, this.#environment);
    if (variable !== undefined) return keyOfVariable(variable);
    if (mayCreate) createKeyFile(this.#file);
    return this.#keyOfFile(this.#file) ?? this.#fail("there is no key for the stored secrets");
  }

  /**
   * Returns the key with an ID.
   * @param id - ID that a stored secret names
   * @throws SecretKeyError when it is not there, or cannot be used
   */
  withId(id: string): MasterKey {
    const current = this.current(false);
    if (current.id === id) return current;
    // A rotation that was interrupted after its transaction has the new key in this file.
    const next = this.#keyOfFile(`${this.#file}.next`);
    if (next?.id !== id) {
      return this.#fail(
        `a secret was encrypted with the key ${id}, and this is the key ${current.id}`,
      );
    }
    this.#finish();
    return next;
  }

  /**
   * Prepares another key for a rotation.
   * @returns the key, and a function to call once every secret is encrypted with it
   * @throws SecretKeyError when the key is of the environment and the next one is not
   */
  next(): { readonly key: MasterKey; finish(): string } {
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
      const finish = () =>
        `set ${variable.name} to the value of ${next.name}, and unset ${next.name}`;
      return { key: keyOfVariable(next), finish };
    }
    const file = `${this.#file}.next`;
    rmSync(file, { force: true });
    createKeyFile(file);
    const key = this.#keyOfFile(file) ?? this.#fail("the new key could not be written");
    return {
      key,
      finish: () => {
        this.#finish();
        return `the new key is in ${this.#file}`;
      },
    };
  }

  #finish(): void {
    renameSync(`${this.#file}.next`, this.#file);
  }

  #keyOfFile(file: string): MasterKey | undefined {
    let text: string;
    try {
      if ((statSync(file).mode & 0o077) !== 0) {
        throw new SecretKeyError(
          `other users can access the key file ${file}`,
          `run \`chmod 600 ${file}\`, and rotate the key if others may have read it`,
        );
      }
      text = readFileSync(file, "utf8").trim();
    } catch (error) {
      if (SecretKeyError.isInstance(error)) throw error;
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new SecretKeyError(
        `cannot read the key file ${file} (${errorMessage(error)})`,
        "make it readable for this user",
        error,
      );
    }
    const bytes = Buffer.from(text, "base64url");
    if (bytes.length >= LEAST_BYTES) return masterKey(bytes);
    throw new SecretKeyError(
      `the key file ${file} does not contain a key: expected ${LEAST_BYTES} bytes in base64url, found ${bytes.length}`,
      "restore it from a backup",
    );
  }

  #fail(problem: string): never {
    throw new SecretKeyError(
      problem,
      `restore ${this.#file} or set ${VARIABLES[0]}; without the key, delete the secrets and set them again`,
    );
  }
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
function createKeyFile(file: string): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    const text = `${randomBytes(LEAST_BYTES).toString("base64url")}\n`;
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
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
