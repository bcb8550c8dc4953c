import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { DeviceKeyError } from "../errors.js";
import type { DeviceKey } from "./key.js";

/**
 * Opens the key of a device in a file, and creates it when the file does not exist, with mode 0600.
 * @param file - path of the file, a private key in PEM (PKCS 8)
 * @param options - name that the operator sees; the host name of the machine when absent
 * @throws DeviceKeyError when the file is not an Ed25519 key, cannot be read or written, or others can read it
 */
export function openDeviceKey(
  file: string,
  { name = hostname() }: { readonly name?: string | undefined } = {},
): DeviceKey {
  const privateKey = readKey(file) ?? createKey(file);
  const { x: publicKey = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return { publicKey, name, sign: (statement) => sign(null, statement, privateKey) };
}

/** Reads the key; returns undefined when there is no file. */
function readKey(file: string): KeyObject | undefined {
  let pem: string;
  try {
    const opened = openSync(file, "r");
    try {
      const { mode } = fstatSync(opened);
      if (process.platform !== "win32" && (mode & 0o077) !== 0) {
        throw unusable(file, `others than its owner can read it; run \`chmod 600 ${file}\``);
      }
      pem = readFileSync(opened, "utf8");
    } finally {
      closeSync(opened);
    }
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    if (DeviceKeyError.isInstance(cause)) throw cause;
    throw unusable(
      file,
      `it cannot be read (${codeOf(cause)}); correct the file or its path`,
      cause,
    );
  }
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch (cause) {
    throw unusable(file, NOT_A_KEY, cause);
  }
  throw unusable(file, NOT_A_KEY);
}

function createKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ed25519");
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Fails when another process has created the file meanwhile.
    const created = openSync(file, "wx", 0o600);
    try {
      writeSync(created, privateKey.export({ format: "pem", type: "pkcs8" }).toString());
      fsyncSync(created);
    } finally {
      closeSync(created);
    }
  } catch (cause) {
    throw unusable(
      file,
      `it cannot be created (${codeOf(cause)}); check the folder, or open it again`,
      cause,
    );
  }
  return privateKey;
}

const NOT_A_KEY =
  "it is not an Ed25519 private key in PEM; restore it, or remove it and let the operator approve the new key";

function unusable(file: string, problem: string, cause?: unknown): DeviceKeyError {
  return new DeviceKeyError(`the device key ${file} is unusable: ${problem}`, { cause });
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
}
