import { errorMessage, withDeadline } from "@openclaw/foundation";
import { SecretKeyError } from "./errors.js";

const SERVICE = "openclaw";
const ACCOUNT = "master_key";
/** A keychain that is locked asks for its password; a start must not wait for that. */
const DEADLINE_MS = 5000;

/** Keychain of the operating system, with one entry for the master key (HOST-015). */
export interface Keychain {
  /** Returns the key in base64url; undefined when there is none. */
  read(): Promise<string | undefined>;
  /**
   * Stores the key, and replaces another one.
   * @param key - key in base64url
   */
  write(key: string): Promise<void>;
}

/**
 * Opens the keychain of this user. Its library is not a dependency: an operator who wants the keychain installs it.
 * @param environment - environment variables; `OPENCLAW_KEYCHAIN=off` switches the keychain off
 * @returns undefined when it is off, or the library is not installed
 */
export async function openKeychain(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Keychain | undefined> {
  if (environment.OPENCLAW_KEYCHAIN === "off") return undefined;
  const library = await loadLibrary();
  if (library === undefined) return undefined;
  const { AsyncEntry } = library;
  // The kernel's keyring, the library's second choice on Linux, forgets the key when the machine restarts.
  const options = { linux: { store: "secret-service" } } as const;
  const use = async <Result>(
    work: (entry: InstanceType<typeof AsyncEntry>) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await withDeadline(DEADLINE_MS, () => work(new AsyncEntry(SERVICE, ACCOUNT, options)));
    } catch (error) {
      throw new SecretKeyError(
        `the keychain cannot be used (${errorMessage(error)})`,
        "unlock it, or set OPENCLAW_SECRET_KEY",
        error,
      );
    }
  };
  return {
    read: () => use(async (entry) => (await entry.getPassword()) ?? undefined),
    write: (key) => use((entry) => entry.setPassword(key)),
  };
}

async function loadLibrary() {
  try {
    return await import("@napi-rs/keyring");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw new SecretKeyError(
      `the library of the keychain cannot be loaded (${errorMessage(error)})`,
      "install @napi-rs/keyring again, or remove it",
      error,
    );
  }
}
