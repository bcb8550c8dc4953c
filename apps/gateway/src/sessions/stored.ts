import type { StoredSessions } from "@openclaw/gateway/upkeep";
import type { CommandContext } from "../shell/context.js";

/**
 * Runs work with the stored sessions, whether or not a gateway runs.
 * @param work - reads or changes sessions
 * @param options - `writable` creates a missing database
 * @throws StoreUnavailableError, SchemaTooNewError
 */
export async function withSessions<Result>(
  context: CommandContext,
  work: (stored: StoredSessions) => Promise<Result>,
  options: { writable?: boolean } = {},
): Promise<Result> {
  const [{ openStoredSessions }, { databaseOwner }] = await Promise.all([
    import("@openclaw/gateway/upkeep"),
    import("../database/owner.js"),
  ]);
  const stored = await openStoredSessions(await databaseOwner(context), options);
  try {
    return await work(stored);
  } finally {
    await stored.close();
  }
}
