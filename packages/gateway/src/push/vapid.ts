import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";

/** Lifetime of a token in seconds; a push service accepts at most a day. */
const LIFETIME_S = 12 * 60 * 60;
/** Page of the product, at which the operator of a push service learns who sends (RFC 8292). */
const SUBJECT = "https://openclaw.ai";

/** Key with which a gateway identifies itself to push services (VAPID, RFC 8292). */
export interface VapidKey {
  /** Private P-256 key as JWK. */
  readonly jwk: JsonWebKey;
  /** Uncompressed point of the public key in Base64url, which a browser subscribes with. */
  readonly publicKey: string;
}

/** Creates a key. */
export function createVapidKey(): VapidKey {
  const jwk = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    format: "jwk",
  });
  const { x = "", y = "" } = jwk;
  const point = [Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  return { jwk, publicKey: Buffer.concat(point).toString("base64url") };
}

/**
 * Returns the header that identifies the gateway to one push service.
 * @param key - key of the gateway
 * @param endpoint - URL of a subscription
 * @param now - milliseconds since the epoch
 */
export function vapidAuthorization(
  { jwk, publicKey }: VapidKey,
  endpoint: URL,
  now: number,
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(now / 1000) + LIFETIME_S;
  const claims = { aud: endpoint.origin, exp, sub: SUBJECT };
  const signed = `${part({ typ: "JWT", alg: "ES256" })}.${part(claims)}`;
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${publicKey}`;
}
