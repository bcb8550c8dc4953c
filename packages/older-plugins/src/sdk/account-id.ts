/** @deprecated Set the account ID yourself; this is the ID of a channel's only account. */
export const DEFAULT_ACCOUNT_ID = "default";

const VALID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Normalises an account ID to the form used in configuration and session keys.
 * @param value - account ID as the user typed it
 * @returns lower-case ID of at most 64 characters from `a-z 0-9 _ -`; `default` when nothing usable remains
 * @deprecated Compare ids in lower case.
 */
export function normalizeAccountId(value: string | null | undefined): string {
  return normalizeOptionalAccountId(value) ?? DEFAULT_ACCOUNT_ID;
}

/**
 * Normalises an account ID like `normalizeAccountId`, without a default.
 * @param value - account ID as the user typed it
 * @returns the normalised ID; undefined when nothing usable remains
 * @deprecated Compare ids in lower case.
 */
export function normalizeOptionalAccountId(value: string | null | undefined): string | undefined {
  const id = (value ?? "").trim().toLowerCase();
  if (VALID.test(id)) return id;
  const usable = id
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[^a-z0-9]+|-+$/g, "")
    .slice(0, 64);
  return usable === "" ? undefined : usable;
}
