import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createPluginStores, openStore } from "@openclaw/store";
import { expect, it, onTestFinished } from "vitest";
import { MasterKeys } from "../../src/secrets/master-keys.js";
import { createPluginSecrets } from "../../src/secrets/plugin-secrets.js";
import { SecretVault } from "../../src/secrets/vault.js";

async function opened() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const store = await openStore({ file: join(folder.path, "openclaw.db") });
  onTestFinished(() => store.close());
  const keys = new MasterKeys({ dir: folder.path }, {}, async () => undefined);
  const stores = createPluginStores({
    store,
    secrets: createPluginSecrets(async () => store, keys),
  });
  onTestFinished(() => stores.close());
  return { store, stores, vault: new SecretVault(store, keys) };
}

it("[SDK-060] keeps secrets of plugins encrypted, apart from each other and from the operator's", async () => {
  const { store, stores, vault } = await opened();
  const { secrets } = stores.of("one");
  expect(await secrets?.get("key")).toBeUndefined();
  await secrets?.set("key", "sk-of-one");
  await stores.of("two").secrets?.set("key", "sk-of-two");
  await vault.set("key", "sk-of-operator");
  expect(await secrets?.get("key")).toBe("sk-of-one");
  expect(await stores.of("two").secrets?.get("key")).toBe("sk-of-two");
  expect((await vault.list()).map(({ name }) => name)).toEqual(["key"]);
  expect(JSON.stringify(await store.secrets.list())).not.toContain("sk-of");
  await expect(secrets?.set("not a name", "x")).rejects.toMatchObject({ code: "SECRET_INVALID" });
  await expect(secrets?.set("key", "x".repeat(65_537))).rejects.toMatchObject({
    code: "SECRET_INVALID",
  });
});

it("[SDK-060] keeps them through a rotation of the key, and removes them with the plugin's data", async () => {
  const { store, stores, vault } = await opened();
  const { secrets } = stores.of("one");
  await secrets?.set("key", "sk-of-one");
  await secrets?.set("other", "sk-other");
  await vault.rotate();
  expect(await secrets?.get("key")).toBe("sk-of-one");
  expect(await secrets?.delete("other")).toBe(true);
  expect(await secrets?.delete("other")).toBe(false);
  await stores.remove("one");
  expect(await store.secrets.list()).toEqual([]);
});
