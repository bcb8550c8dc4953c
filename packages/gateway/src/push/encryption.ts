import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** Keys of a browser that receives messages, in Base64url. */
export interface BrowserKeys {
  /** Uncompressed point of its P-256 key. */
  readonly p256dh: string;
  /** Secret that it shares with the sender. */
  readonly auth: string;
}

/** Values that are random in each message. */
export interface MessageSecrets {
  /** Private P-256 key. */
  readonly privateKey: Buffer;
  readonly salt: Buffer;
}

const RECORD_SIZE = 4096;
const LAST_RECORD = 2;

/**
 * Encrypts a message that only the browser can read (RFC 8291), as one record of `aes128gcm` (RFC 8188).
 * @param text - message, of less than 4000 bytes
 * @param secrets - for tests with known values; random when absent
 * @returns body of the request to the push service
 * @throws Error when the keys are not those of a browser
 */
export function encryptPush(text: string, keys: BrowserKeys, secrets?: MessageSecrets): Buffer {
  const { privateKey, salt = randomBytes(16) } = secrets ?? {};
  const own = createECDH("prime256v1");
  if (privateKey === undefined) own.generateKeys();
  else own.setPrivateKey(privateKey);
  const ownPoint = own.getPublicKey();
  const point = Buffer.from(keys.p256dh, "base64url");
  const shared = own.computeSecret(point);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), point, ownPoint]);
  const auth = Buffer.from(keys.auth, "base64url");
  const input = Buffer.from(hkdfSync("sha256", shared, auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync("sha256", input, salt, `Content-Encoding: ${name}\0`, length));
  const cipher = createCipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  const sealed = Buffer.concat([
    cipher.update(text, "utf8"),
    cipher.update(Buffer.from([LAST_RECORD])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_SIZE, 0);
  head.writeUInt8(ownPoint.length, 4);
  return Buffer.concat([salt, head, ownPoint, sealed]);
}
