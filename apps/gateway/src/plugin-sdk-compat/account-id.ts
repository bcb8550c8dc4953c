/** @deprecated Name the account yourself; the id of a channel's only account. */
export const DEFAULT_ACCOUNT_ID = "default";

const VALID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Brings an account id into the form that configuration and session keys have.
 * @param value - as somebody typed it
 * @returns lower case, at most 64 of `a-z 0-9 _ -`; `default` when nothing usable is left
 * @deprecated Compare ids in lower case.
 */
export function normalizeAccountId(value: string | null | undefined): string {
  return normalizeOptionalAccountId(value) ?? DEFAULT_ACCOUNT_ID;
}

/**
 * The same, without a default.
 * @param value - as somebody typed it
 * @returns undefined when nothing usable is left
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
