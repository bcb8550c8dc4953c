import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SealedValue, SecretKey } from "@openclaw/store";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const SALT_BYTES = 32;
const KEY_BYTES = 32;

/** Master key of the secrets, with the ID by which a sealed value names it. */
export interface MasterKey {
  readonly bytes: Uint8Array;
  readonly id: string;
}

/**
 * Returns a master key with its ID, from which the key cannot be computed.
 * @param bytes - at least 32 bytes
 */
export function masterKey(bytes: Uint8Array): MasterKey {
  const id = Buffer.from(hkdfSync("sha256", bytes, "", "openclaw secret key id", 8));
  return { bytes, id: id.toString("hex") };
}

/**
 * Encrypts a value with 256-bit AES-GCM under a key that is derived from the master key and a random salt. Owner
 * and name are authenticated, so that rows cannot be exchanged (HOST-014).
 * @param value - value in clear text
 * @param secret - owner and name
 */
export function sealValue(value: string, secret: SecretKey, key: MasterKey): SealedValue {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, derivedKey(key, salt), nonce);
  cipher.setAAD(associatedData(secret, key.id));
  const ciphertext = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  const tag = cipher.getAuthTag();
  const text = (bytes: Buffer) => bytes.toString("base64");
  return {
    keyId: key.id,
    salt: text(salt),
    nonce: text(nonce),
    ciphertext: text(ciphertext),
    tag: text(tag),
  };
}

/**
 * Decrypts a value.
 * @param sealed - encrypted value
 * @param secret - owner and name
 * @param key - master key with the ID that the value names
 * @throws Error when the value, its owner or its name was changed, or the key is another one
 */
export function openValue(sealed: SealedValue, secret: SecretKey, key: MasterKey): string {
  const bytes = (text: string) => Buffer.from(text, "base64");
  const decipher = createDecipheriv(
    ALGORITHM,
    derivedKey(key, bytes(sealed.salt)),
    bytes(sealed.nonce),
    {
      authTagLength: 16,
    },
  );
  decipher.setAAD(associatedData(secret, sealed.keyId));
  decipher.setAuthTag(bytes(sealed.tag));
  const plain = [decipher.update(bytes(sealed.ciphertext)), decipher.final()];
  return Buffer.concat(plain).toString("utf8");
}

function derivedKey({ bytes }: MasterKey, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync("sha256", bytes, salt, "openclaw secret", KEY_BYTES));
}

function associatedData({ owner, name }: SecretKey, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([owner, name, keyId]));
}
