/** Key of accepted changes in the storage of the browser, before the key of their session. */
const STORED = "openclaw.accepted.";

/**
 * Returns the keys of the calls whose changes a person has accepted in this browser.
 * @param sessionKey - full key of the session
 */
export function acceptedChanges(sessionKey: string): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED + sessionKey) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.map(String) : []);
  } catch {
    return new Set();
  }
}

/**
 * Keeps the accepted changes of a session.
 * @param sessionKey - full key of the session
 * @param keys - keys of their calls
 */
export function keepAccepted(sessionKey: string, keys: ReadonlySet<string>): void {
  try {
    localStorage.setItem(STORED + sessionKey, JSON.stringify([...keys]));
  } catch {
    // Without storage the choice ends with the page.
  }
}
