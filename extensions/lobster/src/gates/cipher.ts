import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Key } from "./keys.js";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a continuation with 256-bit AES-GCM; the ID of its run is authenticated (LOB-022).
 * @param text - continuation as JSON
 * @param key - key of the installation
 * @returns nonce, tag and ciphertext in base64
 */
export function seal(text: string, runId: string, key: Key): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, derived(key), nonce);
  cipher.setAAD(Buffer.from(`${key.id} ${runId}`));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64");
}

/**
 * Decrypts a continuation.
 * @param sealed - result of {@link seal}
 * @param key - key with which it was encrypted
 * @throws Error when the text, the run or the key is another one
 */
export function open(sealed: string, runId: string, key: Key): string {
  const bytes = Buffer.from(sealed, "base64");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, derived(key), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(`${key.id} ${runId}`));
  decipher.setAuthTag(tag);
  const ciphertext = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
}

function derived({ bytes }: Key): Buffer {
  return Buffer.from(hkdfSync("sha256", bytes, "", "lobster continuation", 32));
}
