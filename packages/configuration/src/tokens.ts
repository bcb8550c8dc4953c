import type { MethodScope } from "@openclaw/protocol";
import { type ChangeOptions, changeConfiguration } from "./changes/change.js";
import { loadConfiguration } from "./configuration.js";
import type { TokenEntry } from "./sections/gateway.js";

/** Token to create. */
export interface NewToken {
  readonly name: string;
  readonly scopes: readonly MethodScope[];
  /** Milliseconds since the epoch after which it is rejected; undefined for never. */
  readonly expiresAt?: number | undefined;
}

const PATH = ["gateway", "auth", "tokens"] as const;

/**
 * Returns the named tokens of a configuration.
 * @param file - absolute path of `openclaw.json`
 * @throws ConfigurationError when the file is not valid
 */
export async function listTokens(file: string): Promise<readonly TokenEntry[]> {
  return (await loadConfiguration(file)).value.gateway?.auth?.tokens ?? [];
}

/**
 * Creates a named token and writes its hash into the configuration (GW-014). A running gateway accepts it at
 * once.
 * @param file - absolute path of `openclaw.json`
 * @param token - name, scopes and expiry
 * @param options - puts the configuration in force
 * @returns the token, which is stored nowhere, and its entry
 * @throws ConfigurationError when the file would not be valid, for example because the name is taken
 */
export async function addToken(
  file: string,
  { name, scopes, expiresAt }: NewToken,
  options: Pick<ChangeOptions, "apply"> = {},
): Promise<{ readonly token: string; readonly entry: TokenEntry }> {
  const { createNamedToken } = await import("@openclaw/server");
  const { token, hash } = await createNamedToken(name);
  const entry: TokenEntry = {
    ...{ name, hash, scopes },
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
  const tokens = [...(await listTokens(file)), entry];
  await changeConfiguration(file, [[[...PATH], tokens]], options);
  return { token, entry };
}

/**
 * Removes a named token from the configuration. A running gateway rejects it at once.
 * @param file - absolute path of `openclaw.json`
 * @param name - name of the token
 * @param options - puts the configuration in force
 * @returns false when the configuration has no token of that name
 */
export async function removeToken(
  file: string,
  name: string,
  options: Pick<ChangeOptions, "apply"> = {},
): Promise<boolean> {
  const tokens = await listTokens(file);
  const kept = tokens.filter((token) => token.name !== name);
  if (kept.length === tokens.length) return false;
  await changeConfiguration(file, [[[...PATH], kept.length === 0 ? undefined : kept]], options);
  return true;
}
