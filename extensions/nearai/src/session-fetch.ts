import { SessionMissingError, SessionRenewalFailedError } from "./errors.js";
import type { Session, SessionFile } from "./session-file.js";

/** A session that ends within this time is exchanged for a newer one before a request. */
const EXPIRY_MARGIN_MS = 60_000;

/** Dependencies of {@link sessionFetch}. */
export interface SessionFetchDependencies {
  readonly file: SessionFile;
  readonly fetch: typeof globalThis.fetch;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Returns a `fetch` that sends the token of the session. NEAR AI gives new sessions only to a user who signs in, so an
 * expired session is renewed by reading the file again, where another sign-in may have stored a newer one. A request
 * that the server rejects is sent once more with it.
 * @param dependencies - file, `fetch` and clock
 */
export function sessionFetch(dependencies: SessionFetchDependencies): typeof globalThis.fetch {
  const { file, fetch, now } = dependencies;
  let current: Session | undefined;

  const renewed = (rejected: string | undefined): Session => {
    const found = file.read();
    if (found === undefined && rejected === undefined) throw new SessionMissingError(file.path);
    if (found === undefined || found.token === rejected || hasEnded(found, now())) {
      throw new SessionRenewalFailedError(file.path);
    }
    return found;
  };

  return async (input, init) => {
    const isEnding = current === undefined || hasEnded(current, now() + EXPIRY_MARGIN_MS);
    if (isEnding) current = file.read() ?? current;
    if (current === undefined || hasEnded(current, now())) current = renewed(current?.token);
    const sent = current;
    const response = await fetch(input, withToken(init, sent.token));
    if (response.status !== 401) return response;
    await response.body?.cancel();
    current = renewed(sent.token);
    return await fetch(input, withToken(init, current.token));
  };
}

function hasEnded({ expiresAt }: Session, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

function withToken(init: RequestInit | undefined, token: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}
