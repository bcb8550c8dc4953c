import { errorMessage } from "@openclaw/foundation";
import type { PluginSecretStore } from "@openclaw/plugin-sdk/store";
import type { PluginSecrets, Store } from "@openclaw/store";
import { openValue, sealValue } from "./cipher.js";
import { SecretKeyError } from "./errors.js";
import type { MasterKeys } from "./master-keys.js";
import { checkSecret, listedSecrets } from "./vault.js";

type SecretTables = Pick<Store, "secrets" | "transaction">;

/**
 * Creates the secrets of plugins, in the table and under the master key of the operator's secrets, so that a rotation
 * of the key includes them (SDK-060). The operator's commands do not list them.
 * @param store - store of the encrypted values, opened on first use
 */
export function createPluginSecrets(
  store: () => Promise<SecretTables>,
  keys: Pick<MasterKeys, "current" | "withId">,
): PluginSecrets {
  return {
    of: (pluginId) => secretsOf(ownerOf(pluginId), store, keys),
    put: (unit, pluginId, secret) => putSecret(unit, ownerOf(pluginId), secret, keys),
    async remove(pluginId) {
      const owner = ownerOf(pluginId);
      await (await store()).transaction(async (unit) => {
        for (const { name } of await unit.secrets.list(owner)) {
          await unit.secrets.remove({ owner, name });
        }
      });
    },
  };
}

function secretsOf(
  owner: string,
  store: () => Promise<SecretTables>,
  keys: Pick<MasterKeys, "current" | "withId">,
): PluginSecretStore {
  return {
    async get(name) {
      const secret = await (await store()).secrets.find({ owner, name });
      if (secret === undefined) return undefined;
      const key = await keys.withId(secret.keyId);
      try {
        return openValue(secret, secret, key);
      } catch (error) {
        throw new SecretKeyError(
          `the secret "${name}" of ${owner} cannot be decrypted (${errorMessage(error)})`,
          "its row was changed or is damaged; restore a backup of the database",
        );
      }
    },
    async set(name, value) {
      checkSecret(name, value);
      await (await store()).transaction((unit) => putSecret(unit, owner, { name, value }, keys));
    },
    delete: async (name) => (await store()).secrets.remove({ owner, name }),
  };
}

async function putSecret(
  unit: Pick<Store, "secrets">,
  owner: string,
  { name, value }: { readonly name: string; readonly value: string },
  keys: Pick<MasterKeys, "current" | "withId">,
): Promise<void> {
  checkSecret(name, value);
  const stored = await listedSecrets(unit);
  const current = await keys.current(stored.length === 0);
  // A second key would make the secrets of the first one unreadable after its next rotation.
  const other = stored.find(({ keyId }) => keyId !== current.id);
  const key = other === undefined ? current : await keys.withId(other.keyId);
  const secret = { owner, name };
  await unit.secrets.put({ ...secret, ...sealValue(value, secret, key), expiresAt: null });
}

function ownerOf(pluginId: string): string {
  return `plugin:${pluginId}`;
}
