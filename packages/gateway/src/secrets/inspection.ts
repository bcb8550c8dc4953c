import type {
  LoadedConfiguration,
  LoadOptions,
  OpenClawConfiguration,
} from "@openclaw/configuration";
import type { StateFolder } from "../state/folder.js";
import { openExistingStore } from "../state/store.js";
import { MasterKeys } from "./master-keys.js";
import { ConfigurationSecrets, secretReferences } from "./references.js";
import { SecretVault } from "./vault.js";

/**
 * Resolves the secrets of a configuration as a start does; the host may be running.
 * @param state - state folder with the key and the database
 * @param configuration - valid configuration
 * @param options - checks of bundled plugins, and variables
 * @returns number of secrets that the configuration refers to, and the configuration with their values, which must
 * not be shown
 * @throws ConfigurationError when a secret is missing, SecretKeyError when the master key cannot be used
 */
export async function resolveStoredSecrets(
  state: StateFolder,
  configuration: LoadedConfiguration,
  options: LoadOptions & { readonly environment: NodeJS.ProcessEnv },
): Promise<{ readonly count: number; readonly value: OpenClawConfiguration }> {
  const count = secretReferences(configuration.document).size;
  if (count === 0) return { count, value: configuration.value };
  const { environment } = options;
  const { store: database } = configuration.value;
  const store = await openExistingStore({ state, configuration: database, environment });
  try {
    const vault = new SecretVault(store, new MasterKeys(state, environment));
    const secrets = new ConfigurationSecrets(vault, options, () => undefined);
    return { count, value: await secrets.resolve(configuration) };
  } finally {
    await store.close();
  }
}
