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
    await store.transaction((unit) => unit.turns.eraseText("run"));
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

  it("[TURN-024] [GW-330] is in no file after its job was blocked, or the session of the job removed", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    for (const jobId of ["blocked", "removed"]) {
      const sessionKey = `agent:main:job:${jobId}`;
      const job = { jobId, title: SECRET.slice(0, 60), description: SECRET, agentId: "main" };
      const limits = { priority: 0, depth: 0, maxTokens: 0, maxCost: 0, maxIterations: 1 };
      const asked = { sessionKey, creator: {}, owner: "owner", timeoutMs: 1000 };
      await store.jobs.add({ ...job, ...limits, ...asked });
      await store.sessions.open(sessionKey, { agentId: "main", channel: "test" });
      await store.jobs.change(jobId, { plan: [{ text: SECRET, state: "active" }] });
      await store.jobs.change(jobId, { prompts: [SECRET] });
      const call = { callerId: "gateway", key: jobId };
      await store.calls.begin({ ...call, method: "jobs.create", digest: "a" });
      await store.calls.settle(call, "succeeded", { title: job.title, sessionKey });
    }
    await store.jobs.change("blocked", { progress: { done: 1, note: SECRET } });
    await store.sessions.remove("agent:main:job:removed");
    expect(filesWith(file, "merger")).not.toEqual([]);
    await store.jobs.eraseText("blocked", "blocked task");
    expect(filesWith(file, "merger")).toEqual([]);
    expect(await store.jobs.get("blocked")).toMatchObject({
      title: "blocked task",
      state: "pending",
    });
  });

  it("[TURN-024] [GW-330] is in no file after its routine was changed, removed, or its run blocked", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    const { routines } = store;
    const sessionKey = "agent:main:cron:id";
    const routine = { routineId: "id", name: "morning", agentId: "main", sessionKey };
    const task = { action: { prompt: SECRET } };
    const other = { action: { prompt: "look at the inbox" } };
    const run = { routineId: "id", plannedAt: 1, origin: "event", state: "queued" } as const;
    const called = async (key: string) => {
      await store.calls.begin({ callerId: "gateway", key, method: "cron.add", digest: "a" });
      const outcome = { sessionKey, prompt: SECRET };
      await store.calls.settle({ callerId: "gateway", key }, "succeeded", outcome);
    };
    const asked = { owner: "owner", creator: {}, scheduledFrom: 0, enabled: true };
    await routines.add({ ...routine, ...asked, definition: task });
    await called("add");
    expect(filesWith(file, "merger")).not.toEqual([]);
    await routines.change("id", { definition: other });
    expect(filesWith(file, "merger")).toEqual([]);

    await routines.runs.claim({ ...run, input: { source: "a message", text: SECRET } });
    expect(filesWith(file, "merger")).not.toEqual([]);
    await routines.runs.eraseText(run);
    expect(filesWith(file, "merger")).toEqual([]);

    await routines.change("id", { definition: task });
    await called("update");
    expect(filesWith(file, "merger")).not.toEqual([]);
    await routines.remove("id");
    expect(filesWith(file, "merger")).toEqual([]);
  });

  it("[TURN-024] is in no file after the gate blocked a request whose response is kept", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    await queueTurn(store, { runId: "run", inboxId: "in", payload: {} });
    const request = { entries: [{ text: SECRET }], parameters: { model: "openclaw" } };
    const response = { messageId: "in", sessionKey: "key", sender: "owner", request };
    await store.messages.responses.add({ ...response, id: "resp_1" });
    expect(filesWith(file, "merger")).not.toEqual([]);
    await store.transaction((unit) => unit.turns.eraseText("run"));
    // The client can store it after the verdict.
    await store.messages.responses.add({ ...response, id: "resp_2" });
    expect(filesWith(file, "merger")).toEqual([]);
    const kept = { entries: [], parameters: { model: "openclaw" } };
    for (const id of ["resp_1", "resp_2"]) {
      expect(await store.messages.responses.get(id)).toMatchObject({ request: kept });
    }
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
