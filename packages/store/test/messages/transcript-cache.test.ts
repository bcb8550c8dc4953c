import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import BetterSqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/index.js";
import { TranscriptCache } from "../../src/messages/transcript-cache.js";
import { newFile, openTestStore, START, storeDatabase } from "../support/open-store.js";

const said = (text: string): AgentMessage => ({
  role: "user",
  content: [{ type: "text", text }],
  timestamp: START,
});

async function openSession(store: Store): Promise<string> {
  return (await store.sessions.open("session", { agentId: "agent" })).session.sessionId;
}

const append = (store: Pick<Store, "messages">, sessionId: string, text: string) =>
  store.messages.transcript.append({ sessionId, message: said(text) });

async function texts(store: Store, sessionId: string, afterSeq?: number): Promise<string[]> {
  const { messages } = await store.messages.transcript.messages(sessionId, afterSeq);
  return messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
}

describe("a transcript that is read again", () => {
  it("[SCALE-044] has the same frozen messages, and those that were appended since", async () => {
    const store = await openTestStore();
    const sessionId = await openSession(store);
    await append(store, sessionId, "one");
    const { transcript } = store.messages;
    const first = (await transcript.messages(sessionId)).messages[0];
    await append(store, sessionId, "two");
    const again = await transcript.messages(sessionId);
    expect(again.messages[0]).toBe(first);
    expect(again.places).toEqual([1, 2]);
    expect(await texts(store, sessionId)).toEqual(["one", "two"]);
    expect(() => {
      if (first !== undefined) first.content.length = 0;
    }).toThrow(TypeError);
  });

  it("[SCALE-044] has what another process appended", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    const other = await openTestStore(database);
    const sessionId = await openSession(store);
    await append(store, sessionId, "one");
    expect(await texts(store, sessionId)).toEqual(["one"]);
    await append(other, sessionId, "two");
    expect(await texts(store, sessionId)).toEqual(["one", "two"]);
  });

  it("[SCALE-044] begins after a compaction", async () => {
    const store = await openTestStore();
    const sessionId = await openSession(store);
    for (const text of ["one", "two", "three"]) await append(store, sessionId, text);
    expect(await texts(store, sessionId)).toHaveLength(3);
    expect(await texts(store, sessionId, 2)).toEqual(["three"]);
    await append(store, sessionId, "four");
    expect(await texts(store, sessionId, 2)).toEqual(["three", "four"]);
    expect(await texts(store, sessionId)).toEqual(["one", "two", "three", "four"]);
  });

  it("[SCALE-044] has no entry that was removed, also by another process", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    const other = await openTestStore(database);
    const sessionId = await openSession(store);
    await append(store, sessionId, "one");
    await append(store, sessionId, "two");
    expect(await texts(store, sessionId)).toHaveLength(2);
    await other.sessions.remove("session");
    expect(await texts(store, sessionId)).toEqual([]);
  });

  it("[SCALE-044] has no entry that retention removed in another process, which begins with the first", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    const sessionId = await openSession(store);
    for (const text of ["one", "two", "three"]) await append(store, sessionId, text);
    expect(await texts(store, sessionId)).toHaveLength(3);
    const other = new BetterSqlite(file);
    other.exec("delete from transcript where seq = 1");
    other.close();
    expect(await texts(store, sessionId)).toEqual(["two", "three"]);
  });

  it("[SCALE-044] has no entry that was taken back, and those that are visible again, also for another process", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    const other = await openTestStore(database);
    const sessionId = await openSession(store);
    for (const runId of ["one", "two", "three"]) {
      await store.messages.transcript.append({ sessionId, runId, message: said(runId) });
    }
    expect(await texts(store, sessionId)).toEqual(["one", "two", "three"]);
    await other.messages.checkpoints.undo(sessionId);
    expect(await texts(store, sessionId)).toEqual(["one", "two"]);
    await other.messages.checkpoints.redo(sessionId);
    expect(await texts(store, sessionId)).toEqual(["one", "two", "three"]);
    await other.messages.checkpoints.undo(sessionId);
    await append(other, sessionId, "four");
    expect(await texts(store, sessionId)).toEqual(["one", "two", "four"]);
  });

  it("[SCALE-044] has no entry of a transaction that was rolled back", async () => {
    const store = await openTestStore();
    const sessionId = await openSession(store);
    await append(store, sessionId, "one");
    const failed = store.transaction(async (unit) => {
      await append(unit, sessionId, "undone");
      expect((await unit.messages.transcript.messages(sessionId)).places).toEqual([1, 2]);
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    expect(await texts(store, sessionId)).toEqual(["one"]);
    await append(store, sessionId, "two");
    expect(await texts(store, sessionId)).toEqual(["one", "two"]);
  });
});

describe("the cache of transcripts", () => {
  const nothing = { version: "0:0", messages: [], places: [] };

  it("[SCALE-044] keeps the transcripts that were used last, up to its limit", () => {
    const cache = new TranscriptCache(10);
    for (const session of ["one", "two"]) cache.set(session, { afterSeq: 0, ...nothing, bytes: 5 });
    cache.set("one", { afterSeq: 0, ...nothing, bytes: 5 });
    cache.set("three", { afterSeq: 0, ...nothing, bytes: 4 });
    const kept = ["one", "two", "three"].filter((session) => cache.get(session, 0) !== undefined);
    expect(kept).toEqual(["one", "three"]);
  });

  it("[SCALE-044] keeps none that exceeds its limit alone, and nothing older of it", () => {
    const cache = new TranscriptCache(10);
    cache.set("one", { afterSeq: 0, ...nothing, bytes: 5 });
    cache.set("one", { afterSeq: 0, ...nothing, bytes: 11 });
    expect(cache.get("one", 0)).toBeUndefined();
    cache.set("two", { afterSeq: 0, ...nothing, bytes: 10 });
    expect(cache.get("two", 0)).toBeDefined();
    expect(cache.get("two", 3)).toBeUndefined();
  });

  it("[SCALE-044] removes the transcript that was read longest ago first", () => {
    const cache = new TranscriptCache(10);
    for (const session of ["one", "two"]) cache.set(session, { afterSeq: 0, ...nothing, bytes: 5 });
    cache.get("one", 0);
    cache.set("three", { afterSeq: 0, ...nothing, bytes: 5 });
    expect(cache.get("two", 0)).toBeUndefined();
    expect(cache.get("one", 0)).toBeDefined();
  });
});
