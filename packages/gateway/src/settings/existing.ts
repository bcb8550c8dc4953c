import type { OpenClawConfiguration } from "@openclaw/configuration";
import type { StateFolder } from "../state/folder.js";
import { openExistingStore } from "../state/store.js";
import type { StoredValue } from "./layer.js";

/**
 * Reads the settings of the database for a command; a host may have it open. Without a database there are none.
 * @param state - state folder of the host
 * @param configuration - section `store` of the configuration
 * @throws StoreUnavailableError, SchemaTooNewError
 */
export async function existingSettings(
  state: StateFolder,
  configuration: OpenClawConfiguration["store"],
): Promise<readonly StoredValue[]> {
  const store = await openExistingStore({ state, configuration });
  try {
    return await store.settings.list();
  } finally {
    await store.close();
  }
}
