import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { SecretInvalidError } from "./errors.js";

const FORMAT = "openclaw-secrets";
const VERSION = 1;
const LEAST_PASSPHRASE = 12;
/** Cost of scrypt: about 0.1 s and 128 MiB for each guess. */
const COST = { N: 131_072, r: 8, p: 1, maxmem: 192 * 1_048_576 };

/** Secret in an export. */
export interface ExportedSecret {
  readonly name: string;
  readonly value: string;
  /** Milliseconds since the epoch; null for no expiry. */
  readonly expiresAt: number | null;
}

/**
 * Encrypts secrets with a passphrase: scrypt, then 256-bit AES-GCM.
 * @param secrets - secrets with their values
 * @param passphrase - at least 12 characters
 * @throws SecretInvalidError when the passphrase is too short
 */
export async function sealExport(
  secrets: readonly ExportedSecret[],
  passphrase: string,
): Promise<string> {
  if (passphrase.length < LEAST_PASSPHRASE) {
    throw new SecretInvalidError(
      `the passphrase has ${passphrase.length} characters; expected at least ${LEAST_PASSPHRASE}`,
    );
  }
  const salt = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", await keyOf(passphrase, salt), nonce);
  cipher.setAAD(Buffer.from(`${FORMAT} ${VERSION}`));
  const plain = JSON.stringify(secrets);
  const ciphertext = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  const parts = { salt, nonce, ciphertext, tag: cipher.getAuthTag() };
  const encoded = Object.entries(parts).map(([name, bytes]) => [name, bytes.toString("base64")]);
  const file = { format: FORMAT, version: VERSION, ...Object.fromEntries(encoded) };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * Decrypts an export.
 * @param text - content of the file
 * @param passphrase - passphrase of the export
 * @throws SecretInvalidError when it is not an export, was changed, or has another passphrase
 */
export async function openExport(
  text: string,
  passphrase: string,
): Promise<readonly ExportedSecret[]> {
  const file = parsed(text);
  const isExport = isRecord(file) && file.format === FORMAT && file.version === VERSION;
  if (!isExport) {
    throw new SecretInvalidError(
      "this is not an export of secrets; expected a file that `openclaw secrets export` wrote",
    );
  }
  const bytes = (name: string) => Buffer.from(String(file[name] ?? ""), "base64");
  let plain: string;
  try {
    const key = await keyOf(passphrase, bytes("salt"));
    const decipher = createDecipheriv("aes-256-gcm", key, bytes("nonce"), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(`${FORMAT} ${VERSION}`));
    decipher.setAuthTag(bytes("tag"));
    plain = Buffer.concat([decipher.update(bytes("ciphertext")), decipher.final()]).toString();
  } catch {
    throw new SecretInvalidError(
      "the export cannot be decrypted: the passphrase is another one, or the file was changed",
    );
  }
  const secrets = parsed(plain);
  return Array.isArray(secrets) ? secrets.filter(isExportedSecret) : [];
}

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return derive(passphrase.normalize("NFKC"), salt, 32, COST);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isExportedSecret(value: unknown): value is ExportedSecret {
  return isRecord(value) && typeof value.name === "string" && typeof value.value === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
