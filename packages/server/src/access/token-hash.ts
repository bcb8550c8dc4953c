import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** Parameters of the hashes that {@link hashToken} creates: 32 MiB of memory. */
const PARAMETERS = { ln: 15, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Memory that one verification may use, in bytes, so that a configuration cannot exhaust it. */
const MAXIMUM_MEMORY = 256 * 1024 * 1024;

const FORM =
  /^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Hash of a token in the PHC string format: `$scrypt$ln=15,r=8,p=1$<salt>$<key>`, in Base64 without padding. */
interface TokenHash {
  /** Base 2 logarithm of the cost. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/**
 * Hashes a token with scrypt and a new salt, outside the main thread.
 * @param token - token of a client
 * @returns the hash as a PHC string
 */
export async function hashToken(token: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(token, { ...PARAMETERS, salt, key: Buffer.alloc(KEY_BYTES) });
  const { ln, r, p } = PARAMETERS;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${encode(salt)}$${encode(key)}`;
}

/**
 * Returns true for a text that {@link verifyToken} can use.
 * @param text - hash from a configuration
 */
export function isTokenHash(text: string): boolean {
  return parse(text) !== undefined;
}

/**
 * Compares a token with a hash, outside the main thread and in time that does not depend on their differences.
 * @param token - token from a client
 * @param hash - hash as a PHC string
 * @returns false also when the text is not a hash
 */
export async function verifyToken(token: string, hash: string): Promise<boolean> {
  const parsed = parse(hash);
  if (parsed === undefined) return false;
  return timingSafeEqual(await derive(token, parsed), parsed.key);
}

function parse(text: string): TokenHash | undefined {
  const [, ln, r, p, salt = "", key = ""] = FORM.exec(text) ?? [];
  const hash: TokenHash = {
    ...{ ln: Number(ln), r: Number(r), p: Number(p) },
    ...{ salt: Buffer.from(salt, "base64"), key: Buffer.from(key, "base64") },
  };
  const isUsable = hash.ln >= 10 && hash.ln <= 20 && memoryOf(hash) <= MAXIMUM_MEMORY;
  return isUsable && hash.p <= 16 ? hash : undefined;
}

function memoryOf({ ln, r }: TokenHash): number {
  return 128 * 2 ** ln * r;
}

function derive(token: string, hash: TokenHash): Promise<Buffer> {
  const { ln, r, p, salt, key } = hash;
  // OpenSSL needs more than the memory of the algorithm itself.
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: memoryOf(hash) * 2 };
  return new Promise((resolve, reject) => {
    scrypt(token, salt, key.length, options, (error, derived) => {
      if (error === null) resolve(derived);
      else reject(error);
    });
  });
}

function encode(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
