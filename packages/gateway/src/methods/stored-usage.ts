import { sumUsage, type UsageQuery } from "@openclaw/messaging";
import { openExistingStore } from "../state/store.js";
import type { DatabaseOwner } from "../upkeep/database.js";

/**
 * Sums the model calls that a host has stored, which may be running. No plugin is loaded.
 * @param query - period and groups
 * @param owner - owner of the database; without a database there are no groups
 * @throws StoreUnavailableError, SchemaTooNewError
 */
export async function storedUsage(
  query: UsageQuery,
  owner: DatabaseOwner,
): Promise<Awaited<ReturnType<typeof sumUsage>>> {
  const store = await openExistingStore(owner);
  try {
    return await sumUsage(query, store);
  } finally {
    await store.close();
  }
}
