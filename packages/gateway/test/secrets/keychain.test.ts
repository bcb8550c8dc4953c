import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { SecretKeyError } from "../../src/secrets/errors.js";
import { type Keychain, openKeychain } from "../../src/secrets/keychain.js";
import { MasterKeys } from "../../src/secrets/master-keys.js";
import { SecretVault } from "../../src/secrets/vault.js";

const VALUE = "sk-live-0123456789abcdef";

/** Keychain in memory. */
class MemoryKeychain implements Keychain {
  key: string | undefined;

  async read(): Promise<string | undefined> {
    return this.key;
  }

  async write(key: string): Promise<void> {
    this.key = key;
  }
}

async function openVault(folder: TemporaryFolder) {
  const store = await openStore({ file: join(folder.path, "openclaw.db") });
  onTestFinished(() => store.close());
  return (
    keychain: () => Promise<Keychain | undefined>,
    environment: NodeJS.ProcessEnv = {},
  ): SecretVault =>
    new SecretVault(store, new MasterKeys({ dir: folder.path }, environment, keychain));
}

describe("master key in the keychain", () => {
  it("[HOST-015] is created there on first use when its library is installed, and rotated there", async () => {
    using folder = temporaryFolder();
    const vault = await openVault(folder);
    const keychain = new MemoryKeychain();
    const open = async () => keychain;
    await vault(open, { SECRETS_MASTER_KEY: "e".repeat(32) }).set("A", VALUE);
    expect(keychain.key).toBeUndefined();
    await vault(open, { SECRETS_MASTER_KEY: "e".repeat(32) }).delete("A");

    await vault(open).set("A", VALUE);
    const first = keychain.key ?? "";
    expect(Buffer.from(first, "base64url")).toHaveLength(32);
    const file = readFileSync(join(folder.path, "secrets.key"), "utf8");
    expect(file).toBe("in the keychain: service openclaw, account master_key\n");
    expect(await vault(open).read("A", ["test"])).toBe(VALUE);

    expect(await vault(open).rotate()).toEqual({
      secrets: 1,
      keyNote: "the new key is in the keychain",
    });
    expect(keychain.key).not.toBe(first);
    expect(await vault(open).read("A", ["test"])).toBe(VALUE);

    keychain.key = first;
    await expect(vault(open).read("A", ["test"])).rejects.toThrow(/was encrypted with the key/);
    keychain.key = undefined;
    await expect(vault(open).read("A", ["test"])).rejects.toThrow("there is no key");
    await expect(vault(async () => undefined).read("A", ["test"])).rejects.toThrow(
      "run `npm install @napi-rs/keyring` next to openclaw",
    );
  });

  it("[HOST-015] is not used when it is switched off", async () => {
    expect(await openKeychain({ OPENCLAW_KEYCHAIN: "off" })).toBeUndefined();
  });

  it("[HOST-015] is shared by the state folders of a user", async () => {
    const keychain = new MemoryKeychain();
    using one = temporaryFolder();
    using two = temporaryFolder();
    await (await openVault(one))(async () => keychain).set("A", VALUE);
    const { key } = keychain;
    const second = (await openVault(two))(async () => keychain);
    await second.set("A", VALUE);
    expect(keychain.key).toBe(key);
    expect(await second.read("A", ["test"])).toBe(VALUE);
  });

  it("[HOST-015] is a file where the keychain cannot be used, and stays one", async () => {
    using folder = temporaryFolder();
    const vault = await openVault(folder);
    const locked = () => Promise.reject(new SecretKeyError("the keychain is locked", "unlock it"));
    await vault(locked).set("A", VALUE);
    expect(await vault(async () => new MemoryKeychain()).read("A", ["test"])).toBe(VALUE);
    rmSync(join(folder.path, "secrets.key"));
    await expect(vault(locked).read("A", ["test"])).rejects.toMatchObject({
      code: "SECRET_KEY_UNUSABLE",
    });
  });
});

describe.runIf(process.platform === "linux")("keychain of Linux", () => {
  it("[HOST-015] fails at once without a session of the user", async () => {
    const address = process.env.DBUS_SESSION_BUS_ADDRESS;
    process.env.DBUS_SESSION_BUS_ADDRESS = "unix:path=/nowhere";
    onTestFinished(() => {
      if (address === undefined) delete process.env.DBUS_SESSION_BUS_ADDRESS;
      else process.env.DBUS_SESSION_BUS_ADDRESS = address;
    });
    const keychain = await openKeychain({});
    await expect(keychain?.read()).rejects.toMatchObject({ code: "SECRET_KEY_UNUSABLE" });
  });
});
