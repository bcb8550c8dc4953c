import { createHash, timingSafeEqual } from "node:crypto";
import type { ChannelCapability } from "@openclaw/wasm-host";

/** Secret of a request, and the request as the component may see it. */
export interface PresentedSecret {
  /** Values that the request has in a place of the secret; the first one counts. */
  readonly value: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

const HEADER = "x-webhook-secret";
const PARAMETER = "secret";

/**
 * Takes the secret out of a request: the configured header, else `X-Webhook-Secret`, else `?secret=` (WASM-035).
 * @param request - request of a platform
 * @param webhook - place of the secret in the capabilities
 */
export function takeSecret(
  request: Request,
  { secretHeader }: ChannelCapability["webhook"],
): PresentedSecret {
  const headers = Object.fromEntries(request.headers);
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const places = [secretHeader?.toLowerCase(), HEADER].filter((name) => name !== undefined);
  const value = places.map((name) => headers[name]).find((text) => text !== undefined);
  for (const name of places) delete headers[name];
  const given = value ?? query[PARAMETER];
  delete query[PARAMETER];
  return { value: given, headers, query };
}

/**
 * Compares a secret in constant time; the hashes have the same length whatever a caller sends.
 * @param presented - secret of a request
 * @param expected - secret of the channel
 */
export function isSecret(presented: string | undefined, expected: string | undefined): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  const isEqual = timingSafeEqual(hash(presented ?? ""), hash(expected ?? ""));
  return isEqual && presented !== undefined && expected !== undefined && expected !== "";
}
