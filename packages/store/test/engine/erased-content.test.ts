import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore, type Store } from "../../src/index.js";
import { newFile, openTestStore, queueTurn } from "../support/open-store.js";

/** Longer than a page, so that it fills separate pages. */
const SECRET = "the merger is on friday ".repeat(500);

/** Returns the names of the files in the folder of a database that contain a text. */
function filesWith(file: string, text: string): string[] {
  const folder = dirname(file);
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
}

/** Opens a store in a file, with a message that a turn answers. */
async function storeWithMessage() {
  const file = newFile();
  const store = await openTestStore({ file });
  const { session } = await queueTurn(store, { runId: "run", inboxId: "in", sessionKey: "key" });
  const message = {
    role: "user" as const,
    content: [{ type: "text" as const, text: SECRET }],
    timestamp: 1,
  };
  await store.messages.transcript.append({ sessionId: session.sessionId, runId: "run", message });
  await store.turns.begin("run");
  await store.turns.finish("run", { state: "completed" });
  expect(filesWith(file, "merger")).not.toEqual([]);
  return { file, store, sessionId: session.sessionId };
}

const sealed = { keyId: "master", salt: "c2FsdA==", nonce: "bm9uY2U=", tag: "dGFn" };
const secret = { owner: "operator", name: "key", expiresAt: null, ...sealed };

async function putSecret(store: Store, ciphertext: string): Promise<void> {
  await store.secrets.put({ ...secret, ciphertext });
}

describe("erased content of an open database", () => {
  it("[TURN-024] is in no file after its conversation was erased", async () => {
    const { file, store, sessionId } = await storeWithMessage();
    await store.sessions.erase(sessionId);
    expect(filesWith(file, "merger")).toEqual([]);
  });

  it("[TURN-024] is in no file after the gate blocked its turn", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    await queueTurn(store, { runId: "run", inboxId: "in", payload: { text: SECRET } });
    await store.turns.begin("run");
    expect(filesWith(file, "merger")).not.toEqual([]);
    await store.transaction((unit) => unit.turns.withhold("run"));
    expect(filesWith(file, "merger")).toEqual([]);
  });

  it("[TURN-024] is in no file after its session was removed", async () => {
    const { file, store } = await storeWithMessage();
    await store.sessions.remove("key");
    expect(filesWith(file, "merger")).toEqual([]);
  });

  it("[TURN-024] is in no file after a nested transaction erased it", async () => {
    const { file, store, sessionId } = await storeWithMessage();
    await store.transaction((outer) =>
      outer.transaction((inner) => inner.sessions.erase(sessionId)),
    );
    expect(filesWith(file, "merger")).toEqual([]);
  });

  it("[TURN-024] is in no file after retention removed it", async () => {
    const file = newFile();
    let now = 1_700_000_000_000;
    const store = await openStore({ file, now: () => now });
    onTestFinished(() => store.close());
    const { session } = await queueTurn(store, { runId: "run", inboxId: "in", sessionKey: "key" });
    const message = {
      role: "user" as const,
      content: [{ type: "text" as const, text: SECRET }],
      timestamp: 1,
    };
    await store.messages.transcript.append({ sessionId: session.sessionId, runId: "run", message });
    now += 100 * 24 * 60 * 60 * 1000;
    expect(filesWith(file, "merger")).not.toEqual([]);
    expect(await store.retention.sweep({ transcript: 30 })).toMatchObject({ transcript: 1 });
    expect(filesWith(file, "merger")).toEqual([]);
  });

  it("[TURN-024] is in no file after a secret was replaced, encrypted again or deleted", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    await putSecret(store, "first-ciphertext");
    await putSecret(store, "second-ciphertext");
    expect(filesWith(file, "first-ciphertext")).toEqual([]);
    await store.secrets.reseal(secret, { ...sealed, ciphertext: "third-ciphertext" });
    expect(filesWith(file, "second-ciphertext")).toEqual([]);
    expect(filesWith(file, "third-ciphertext")).not.toEqual([]);
    await store.secrets.remove(secret);
    expect(filesWith(file, "third-ciphertext")).toEqual([]);
  });

  it("[TURN-024] is removed by a later transaction when another process was reading the log", async () => {
    const { file, store, sessionId } = await storeWithMessage();
    const reader = new BetterSqlite(file, { readonly: true });
    reader.exec("begin");
    reader.prepare("select count(*) from transcript").get();
    await store.sessions.erase(sessionId);
    expect(filesWith(file, "merger")).not.toEqual([]);
    reader.exec("commit");
    reader.close();
    await expect
      .poll(async () => {
        await store.transaction((unit) => unit.check());
        return filesWith(file, "merger");
      })
      .toEqual([]);
  });

  it("[TURN-024] is removed at the next start of a host that was killed before", async () => {
    const { file, store, sessionId } = await storeWithMessage();
    const reader = new BetterSqlite(file, { readonly: true });
    reader.exec("begin");
    reader.prepare("select count(*) from transcript").get();
    await store.sessions.erase(sessionId);
    // The files as a kill leaves them.
    const copy = newFile();
    for (const suffix of ["", "-wal"]) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`);
    reader.close();
    expect(filesWith(copy, "merger")).not.toEqual([]);
    const restarted = await openStore({ file: copy, exclusive: true });
    onTestFinished(() => restarted.close());
    expect(existsSync(`${copy}-wal`)).toBe(true);
    expect(filesWith(copy, "merger")).toEqual([]);
  });
});
