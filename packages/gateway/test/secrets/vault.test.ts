import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { openStore, type Store } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { masterKey, openValue, sealValue } from "../../src/secrets/cipher.js";
import { MasterKeys } from "../../src/secrets/master-keys.js";
import { SecretVault } from "../../src/secrets/vault.js";

const VALUE = "sk-live-0123456789abcdef";

interface Opened {
  readonly folder: TemporaryFolder;
  readonly store: Store;
  readonly keyFile: string;
  vault(environment?: NodeJS.ProcessEnv): SecretVault;
}

async function open(): Promise<Opened> {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const store = await openStore({ file: join(folder.path, "openclaw.db") });
  onTestFinished(() => store.close());
  return {
    folder,
    store,
    keyFile: join(folder.path, "secrets.key"),
    vault: (environment = {}) =>
      new SecretVault(store, new MasterKeys({ dir: folder.path }, environment)),
  };
}

describe("sealValue", () => {
  const key = masterKey(new Uint8Array(32).fill(7));
  const secret = { owner: "operator", name: "A" };

  it("[HOST-014] uses a salt of 32 bytes, a nonce of 12 bytes and a tag, new for each value", () => {
    const sealed = sealValue(VALUE, secret, key);
    const bytes = (text: string) => Buffer.from(text, "base64").length;
    expect([bytes(sealed.salt), bytes(sealed.nonce), bytes(sealed.tag)]).toEqual([32, 12, 16]);
    const again = sealValue(VALUE, secret, key);
    expect(again.nonce).not.toBe(sealed.nonce);
    expect(again.ciphertext).not.toBe(sealed.ciphertext);
    expect(openValue(sealed, secret, key)).toBe(VALUE);
  });

  it("[HOST-014] binds the value to owner, name and key, so that rows cannot be swapped", () => {
    const sealed = sealValue(VALUE, secret, key);
    expect(() => openValue(sealed, { ...secret, name: "B" }, key)).toThrow();
    expect(() => openValue(sealed, { ...secret, owner: "someone" }, key)).toThrow();
    expect(() => openValue(sealed, secret, masterKey(new Uint8Array(32).fill(8)))).toThrow();
    const flipped = Buffer.from(sealed.ciphertext, "base64");
    flipped.writeUInt8(flipped.readUInt8(0) ^ 1, 0);
    const changed = { ...sealed, ciphertext: flipped.toString("base64") };
    expect(() => openValue(changed, secret, key)).toThrow();
  });
});

describe("SecretVault", () => {
  it("[HOST-014] [HOST-016] stores no value in clear text, and lists none", async () => {
    const { vault, store, folder } = await open();
    expect(await vault().set("OPENAI_KEY", VALUE)).toBe(true);
    expect(await vault().set("OPENAI_KEY", `${VALUE}2`)).toBe(false);
    expect(await vault().read("OPENAI_KEY", ["plugins.entries.openai.config.apiKey"])).toBe(
      `${VALUE}2`,
    );
    const listed = await vault().list();
    expect(listed).toMatchObject([
      { name: "OPENAI_KEY", isExpired: false, lastUsedBy: "plugins.entries.openai.config.apiKey" },
    ]);
    expect(JSON.stringify(listed)).not.toContain(VALUE);
    expect(JSON.stringify(await store.secrets.list())).not.toContain(VALUE);
    for (const name of ["openclaw.db", "openclaw.db-wal"]) {
      const file = join(folder.path, name);
      if (existsSync(file)) expect(readFileSync(file).includes(VALUE)).toBe(false);
    }
  });

  it("[HOST-015] creates a key file with mode 0600 on first use, and prefers the key of the environment", async () => {
    const { vault, keyFile } = await open();
    const environment = { SECRETS_MASTER_KEY: "e".repeat(32) };
    await vault(environment).set("A", VALUE);
    expect(existsSync(keyFile)).toBe(false);
    expect(await vault(environment).read("A", ["test"])).toBe(VALUE);
    await vault().delete("A");
    await vault().set("A", VALUE);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(await vault().read("A", ["test"])).toBe(VALUE);
  });

  it("[HOST-015] fails with the next step, and changes nothing, without the key or with another one", async () => {
    const { vault, keyFile, store } = await open();
    await vault().set("A", VALUE);
    const before = await store.secrets.list();
    renameSync(keyFile, `${keyFile}.away`);
    const code = "SECRET_KEY_UNUSABLE";
    await expect(vault().read("A", ["test"])).rejects.toMatchObject({
      code,
      message: `there is no key for the stored secrets; restore ${keyFile} or set OPENCLAW_SECRET_KEY; without the key, delete the secrets and set them again`,
    });
    await expect(vault().set("B", VALUE)).rejects.toMatchObject({ code });
    expect(existsSync(keyFile)).toBe(false);
    const other = { OPENCLAW_SECRET_KEY: "o".repeat(40) };
    await expect(vault(other).read("A", ["test"])).rejects.toThrow(
      /was encrypted with the key [0-9a-f]{16}, and this is the key/,
    );
    await expect(vault(other).set("A", "x")).rejects.toMatchObject({ code });
    await expect(vault(other).rotate()).rejects.toMatchObject({ code });
    expect(await store.secrets.list()).toEqual(before);
    expect(await vault().list()).toHaveLength(1);
    await vault().delete("A");
    expect(await vault().set("A", VALUE)).toBe(true);
  });

  it.each([
    [
      "a key of the environment that is too short",
      { OPENCLAW_SECRET_KEY: "short" },
      undefined,
      /has 5 bytes; expected at least 32/,
    ],
    ["a key file without a key", {}, "x", /does not contain a key: expected 32 bytes/],
  ])("[HOST-015] rejects %s", async (_, environment, text, message) => {
    const { vault, keyFile } = await open();
    if (text !== undefined) writeFileSync(keyFile, text, { mode: 0o600 });
    await expect(vault(environment).set("A", VALUE)).rejects.toThrow(message);
  });

  it("[HOST-015] rejects a key file that other users can read", async () => {
    const { vault, keyFile } = await open();
    await vault().set("A", VALUE);
    chmodSync(keyFile, 0o640);
    await expect(vault().read("A", ["test"])).rejects.toThrow(
      /other users can access the key file .*; run `chmod 600/,
    );
  });

  it("[HOST-016] logs every use: when, by which key or export, and by whom, also of deleted secrets", async () => {
    const { vault, store } = await open();
    await vault().set("A", VALUE);
    await vault().set("B", VALUE);
    expect(await vault().uses({ limit: 10 })).toEqual([]);
    await vault().read("A", ["webhooks.hook.secret", "gateway.auth.token"]);
    await vault().read("B", ["plugins.entries.b.config.key"]);
    await vault().read("A", ["webhooks.hook.secret"]);
    await vault().export("correct horse battery", "ops");
    await vault().delete("A");
    const uses = (await vault().uses({ limit: 10 })).map(({ name, by, actor }) => [
      name,
      by,
      actor,
    ]);
    expect(uses).toEqual([
      ["B", "secrets export", "ops"],
      ["A", "secrets export", "ops"],
      ["A", "webhooks.hook.secret", "host"],
      ["B", "plugins.entries.b.config.key", "host"],
      ["A", "gateway.auth.token", "host"],
      ["A", "webhooks.hook.secret", "host"],
    ]);
    const [last] = await vault().uses({ name: "B", limit: 1 });
    expect(last).toMatchObject({ name: "B", by: "secrets export" });
    expect(Math.abs((last?.at ?? 0) - (await store.clock()))).toBeLessThan(60_000);
    expect(await vault().list()).toMatchObject([{ name: "B", lastUsedBy: "secrets export" }]);
    await expect(vault().read("A", ["x"])).rejects.toMatchObject({ code: "SECRET_NOT_FOUND" });
    expect(await vault().uses({ limit: 10 })).toHaveLength(6);
  });

  it("[HOST-016] reads an expired secret as missing", async () => {
    const { vault } = await open();
    await vault().set("A", VALUE, 1);
    await expect(vault().read("A", ["test"])).rejects.toMatchObject({ code: "SECRET_NOT_FOUND" });
    expect(await vault().list()).toMatchObject([{ name: "A", isExpired: true, expiresAt: 1 }]);
  });

  it("names the nearest secret of a name that does not exist", async () => {
    const { vault } = await open();
    await vault().set("OPENAI_KEY", VALUE);
    await expect(vault().delete("OPENAI_KYE")).rejects.toThrow(/did you mean "OPENAI_KEY"\?/);
  });

  it.each([
    ["-x", VALUE],
    ["a b", VALUE],
    ["A", ""],
    ["A", "v".repeat(65_537)],
  ])(
    "rejects the name %j with a value of that size, without showing the value",
    async (name, value) => {
      const { vault } = await open();
      const setting = vault().set(name, value);
      await expect(setting).rejects.toMatchObject({ code: "SECRET_INVALID" });
      await expect(setting).rejects.not.toThrow(VALUE);
    },
  );

  it("[HOST-017] rotates the key of every secret in one transaction", async () => {
    const { vault, store, keyFile } = await open();
    await vault().set("A", VALUE);
    await vault().set("B", "second-value");
    const before = readFileSync(keyFile, "utf8");
    expect(await vault().rotate()).toEqual({ secrets: 2, keyNote: `the new key is in ${keyFile}` });
    expect(readFileSync(keyFile, "utf8")).not.toBe(before);
    expect(await vault().read("A", ["test"])).toBe(VALUE);
    expect(await vault().read("B", ["test"])).toBe("second-value");
    const ids = new Set((await store.secrets.list()).map(({ keyId }) => keyId));
    expect(ids.size).toBe(1);
  });

  it("[HOST-017] completes a rotation that was interrupted before the key file was replaced", async () => {
    const { vault, keyFile } = await open();
    await vault().set("A", VALUE);
    const old = readFileSync(keyFile, "utf8");
    await vault().rotate();
    renameSync(keyFile, `${keyFile}.next`);
    writeFileSync(keyFile, old, { mode: 0o600 });
    expect(await vault().read("A", ["test"])).toBe(VALUE);
    expect(readFileSync(keyFile, "utf8")).not.toBe(old);
    expect(existsSync(`${keyFile}.next`)).toBe(false);
  });

  it("[HOST-017] rotates a key of the environment to the one that is named next", async () => {
    const { vault } = await open();
    const environment = { OPENCLAW_SECRET_KEY: "a".repeat(32) };
    await vault(environment).set("A", VALUE);
    await expect(vault(environment).rotate()).rejects.toThrow(
      /set OPENCLAW_SECRET_KEY_NEXT to the new key/,
    );
    const next = { ...environment, OPENCLAW_SECRET_KEY_NEXT: "b".repeat(32) };
    await vault(next).rotate();
    expect(await vault({ OPENCLAW_SECRET_KEY: "b".repeat(32) }).read("A", ["test"])).toBe(VALUE);
  });

  it("[HOST-017] exports and imports with a passphrase", async () => {
    const { vault, keyFile } = await open();
    await vault().set("A", VALUE);
    const passphrase = "correct horse battery";
    const text = await vault().export(passphrase, "ops");
    expect(text).not.toContain(VALUE);
    await vault().delete("A");
    rmSync(keyFile);
    await expect(vault().import(text, "another passphrase")).rejects.toThrow(/cannot be decrypted/);
    await expect(vault().import("{}", passphrase)).rejects.toThrow(/not an export of secrets/);
    expect(await vault().import(text, passphrase)).toEqual(["A"]);
    expect(await vault().read("A", ["test"])).toBe(VALUE);
    await expect(vault().export("short", "ops")).rejects.toThrow(/expected at least 12/);
  });
});
