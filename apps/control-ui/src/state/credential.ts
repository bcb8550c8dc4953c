import { signal } from "@preact/signals";

/** Key in the storage of the tab, which the browser removes when the tab closes. */
const STORED = "openclaw.token";

/** Token with which the page uses the gateway; undefined while no user is signed in. */
export const token = signal<string | undefined>(undefined);

/** Why the last session ended; undefined before the first. */
export const signedOutBecause = signal<string | undefined>(undefined);

/**
 * Takes up the session of this tab: from the one-time ticket in the fragment of the URL, which is removed at once, else
 * from the storage of the tab.
 * @throws Error with the gateway's message when it does not accept the ticket
 */
export async function resumeSession(): Promise<void> {
  const ticket = takeTicket();
  if (ticket !== undefined) {
    token.value = await exchange(ticket);
    keep(token.value);
    return;
  }
  token.value = kept();
}

/**
 * Signs in.
 * @param given - token of the gateway
 * @param isKept - true if the token survives a reload of the tab
 */
export function signIn(given: string, isKept: boolean): void {
  signedOutBecause.value = undefined;
  if (isKept) keep(given);
  token.value = given;
}

/**
 * Ends the session, also for later loads of this tab.
 * @param reason - why, when the person did not ask for it
 */
export function signOut(reason?: string): void {
  drop();
  signedOutBecause.value = reason;
  token.value = undefined;
}

function takeTicket(): string | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const ticket = fragment.get("ticket");
  if (ticket === null) return undefined;
  fragment.delete("ticket");
  const rest = fragment.toString();
  // The history and the address bar must not keep it.
  history.replaceState(null, "", location.pathname + location.search + (rest && `#${rest}`));
  return ticket;
}

/** The session that a ticket begins lasts longer than the ticket, so that a reload needs no other one. */
async function exchange(ticket: string): Promise<string> {
  const response = await fetch(`/api/v1/auth/session?ticket=${encodeURIComponent(ticket)}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const body: unknown = await response.json();
  const { token: session, error } = body as { token?: string; error?: { message?: string } };
  if (response.ok && session !== undefined) return session;
  throw new Error(error?.message ?? `the gateway answered with ${response.status}`);
}

function kept(): string | undefined {
  try {
    return sessionStorage.getItem(STORED) ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(value: string): void {
  try {
    sessionStorage.setItem(STORED, value);
  } catch {
    // Without storage the session ends with the next load, as it does when it is not kept.
  }
}

function drop(): void {
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    // Nothing was stored.
  }
}
