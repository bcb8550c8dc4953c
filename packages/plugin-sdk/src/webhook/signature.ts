/**
 * Signs the body of a webhook (DHOOK-029).
 * @param secret - key that the receiver knows
 * @param body - body as it is sent
 * @returns `sha256=` and the HMAC-SHA256 in lower-case hex, the value of `X-Webhook-Signature`
 */
export async function webhookSignature(secret: string, body: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  // WebCrypto has no key of length 0; a padded one gives the same result by the definition of HMAC.
  const bytes = secret === "" ? new Uint8Array(1) : encoder.encode(secret);
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", key, encoder.encode(body));
  return `sha256=${Array.from(new Uint8Array(digest), hexOf).join("")}`;
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
