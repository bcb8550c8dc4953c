import { copyFileSync, cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  folderContents,
  type TemporaryFolder,
  temporaryFolder,
} from "@openclaw/foundation/testing";
import { openStore, type Store } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { JournalKeys } from "../../src/secrets/journal-keys.js";
import { MasterKeys } from "../../src/secrets/master-keys.js";
import { SecretVault } from "../../src/secrets/vault.js";
import { OWNER } from "../support/host.js";
import { asked, launchingGateway, PASSWORD, TOKEN } from "../support/launching-gateway.js";

const ONCE = { decision: "allow-once", via: "test" } as const;
const STEP = {
  kind: "tool-intended",
  toolCallId: "call-1",
  toolName: "launch",
  params: { token: TOKEN },
} as const;

function newFolder(): TemporaryFolder {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder;
}

/** Returns the names of the files in a folder that contain one of the secrets. */
function filesWithSecrets({ path }: TemporaryFolder): string[] {
  return folderContents(path)
    .filter(({ content }) => [TOKEN, PASSWORD].some((secret) => content.includes(secret)))
    .map(({ name }) => name);
}

describe("parameters of a tool call", () => {
  it("[APPR-011] are in no file of a running host, and a call that was approved after a restart runs with them", async () => {
    const folder = newFolder();
    const launched: unknown[] = [];
    const first = await launchingGateway(folder, launched);
    const { id, reply } = await asked(first);
    expect(readdirSync(join(folder.path, "state"))).toContain("openclaw.db-wal");
    expect(filesWithSecrets(folder)).toEqual([]);
    await first.stop();
    await reply;
    expect(filesWithSecrets(folder)).toEqual([]);

    const second = await launchingGateway(folder, launched);
    await second.gateway.approvals.decide(id, ONCE, OWNER);
    await vi.waitFor(() => expect(second.requests).toHaveLength(1));
    expect(launched).toEqual([{ to: "moon", token: TOKEN, account: { password: PASSWORD } }]);
    // The model reads its call as the transcript has it.
    const shown = JSON.stringify(second.requests);
    expect(shown).toContain('"to":"moon"');
    expect([TOKEN, PASSWORD].filter((secret) => shown.includes(secret))).toEqual([]);
    await second.stop();
    expect(filesWithSecrets(folder)).toEqual([]);
  });
});

describe("JournalKeys", () => {
  /** Opens a store with the keys of a folder, as a host does. */
  async function open({ path }: TemporaryFolder, environment: NodeJS.ProcessEnv = {}) {
    const masterKeys = new MasterKeys({ dir: path }, environment, async () => undefined);
    const journalCipher = new JournalKeys(masterKeys);
    const store = await openStore({ file: join(path, "openclaw.db"), journalCipher });
    await journalCipher.prepare(store);
    let isOpen = true;
    const close = async () => {
      if (isOpen) await store.close();
      isOpen = false;
    };
    onTestFinished(close);
    return { store, close, vault: new SecretVault(store, masterKeys) };
  }

  const paramsOf = async (store: Store, runId = "run") =>
    (await store.turns.journal.load(runId)).map(({ step }) => "params" in step && step.params);

  it("[APPR-011] encrypt the steps of earlier versions at the first start", async () => {
    const folder = newFolder();
    const earlier = await openStore({ file: join(folder.path, "openclaw.db") });
    await earlier.turns.journal.append({ runId: "run", step: STEP });
    await earlier.close();
    expect(filesWithSecrets(folder)).toEqual(["openclaw.db"]);
    const { store } = await open(folder);
    expect(filesWithSecrets(folder)).toEqual([]);
    expect(await paramsOf(store)).toEqual([{ token: TOKEN }]);
  });

  it("[APPR-011] stay readable after a rotation of the master key, also for a host that runs", async () => {
    const folder = newFolder();
    const first = await open(folder);
    await first.store.turns.journal.append({ runId: "run", step: STEP });
    await first.vault.set("OTHER", "value-of-the-operator");
    const { secrets } = await first.vault.rotate();
    expect(secrets).toBe(1);
    await first.store.turns.journal.append({ runId: "run", step: STEP });
    await first.close();
    const second = await open(folder);
    expect(await paramsOf(second.store)).toEqual([{ token: TOKEN }, { token: TOKEN }]);
  });

  it("[APPR-011] are created again when the master key is lost, and the earlier steps are readable once it is back", async () => {
    const folder = newFolder();
    const first = await open(folder);
    await first.store.turns.journal.append({ runId: "run", step: STEP });
    await first.close();
    const kept = newFolder();
    cpSync(join(folder.path, "secrets.key"), join(kept.path, "secrets.key"));
    rmSync(join(folder.path, "secrets.key"));

    const second = await open(folder);
    await expect(second.store.turns.journal.load("run")).rejects.toMatchObject({
      code: "SECRET_KEY_UNUSABLE",
      message: expect.stringContaining("the steps of run run cannot be decrypted"),
    });
    await second.store.turns.journal.append({ runId: "later", step: STEP });
    expect(await second.vault.set("OTHER", "value-of-the-operator")).toBe(true);
    await second.vault.rotate();
    expect(await paramsOf(second.store, "later")).toEqual([{ token: TOKEN }]);
    await second.vault.delete("OTHER");
    await second.close();

    copyFileSync(join(kept.path, "secrets.key"), join(folder.path, "secrets.key"));
    const third = await open(folder);
    expect(await paramsOf(third.store)).toEqual([{ token: TOKEN }]);
  });

  it("[APPR-011] do not replace the missing master key of stored secrets", async () => {
    const folder = newFolder();
    const first = await open(folder);
    await first.vault.set("OTHER", "value-of-the-operator");
    await first.close();
    rmSync(join(folder.path, "secrets.key"));
    await expect(open(folder)).rejects.toMatchObject({ code: "SECRET_KEY_UNUSABLE" });
  });

  it("[APPR-011] do not open a step under another run, or one that was changed", async () => {
    const keys = new JournalKeys(new MasterKeys({ dir: newFolder().path }, {}));
    const store = await openStore({ file: ":memory:", journalCipher: keys });
    onTestFinished(() => store.close());
    await keys.prepare(store);
    const sealed = keys.seal("{}", "run");
    const find = async () => undefined;
    expect(await keys.open(sealed, "run", find)).toBe("{}");
    await expect(keys.open(sealed, "other", find)).rejects.toThrow("cannot be decrypted");
    const changed = `${sealed.slice(0, -4)}AAAA`;
    await expect(keys.open(changed, "run", find)).rejects.toThrow("cannot be decrypted");
  });

  it("[APPR-011] are needed to read the journal of a database", async () => {
    const folder = newFolder();
    const { store } = await open(folder);
    await store.turns.journal.append({ runId: "run", step: STEP });
    const without = await openStore({ file: join(folder.path, "openclaw.db") });
    onTestFinished(() => without.close());
    await expect(without.turns.journal.load("run")).rejects.toMatchObject({
      code: "JOURNAL_SEALED",
    });
  });
});
