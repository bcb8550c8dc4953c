import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** Parameters of the hashes that {@link hashToken} creates: 32 MiB of memory. */
const PARAMETERS = { ln: 15, p: 1 } as const;
const BLOCK_SIZE = 8;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** With these bounds a verification uses at most 128 MiB. The schema of the configuration has the same. */
const FORM =
  /^\$scrypt\$ln=(1[0-7]),r=8,p=([1-9]|1[0-6])\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Hash of a token in the PHC string format: `$scrypt$ln=15,r=8,p=1$<salt>$<key>`, in Base64 without padding. */
interface TokenHash {
  /** Base 2 logarithm of the cost. */
  readonly ln: number;
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
  const { ln, p } = PARAMETERS;
  return `$scrypt$ln=${ln},r=${BLOCK_SIZE},p=${p}$${encode(salt)}$${encode(key)}`;
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
  const [, ln, p, salt, key] = FORM.exec(text) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  const decode = (encoded: string) => Buffer.from(encoded, "base64");
  return { ln: Number(ln), p: Number(p), salt: decode(salt), key: decode(key) };
}

function derive(token: string, hash: TokenHash): Promise<Buffer> {
  const { ln, p, salt, key } = hash;
  // OpenSSL needs more than the memory of the algorithm itself.
  const maxmem = 2 * 128 * 2 ** ln * BLOCK_SIZE;
  const options: ScryptOptions = { N: 2 ** ln, r: BLOCK_SIZE, p, maxmem };
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
