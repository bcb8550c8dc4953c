import { wellFormed } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { RowDataError, RowNotFoundError, StoreArgumentError } from "../../src/errors.js";
import type { Store } from "../../src/index.js";
import { affordable, openTestStore, START, storeDatabase } from "../support/open-store.js";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function said(text: string): AgentMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: START };
}

async function openSession(store: Store, key = "session"): Promise<string> {
  const { session } = await store.sessions.open(key, { agentId: "agent" });
  return session.sessionId;
}

describe("transcript.append", () => {
  it("[TURN-202] keeps every kind of message in order across a reopen, without halves of characters", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    const sessionId = await openSession(store);
    const messages: AgentMessage[] = [
      said("\0 \ud800 \\ 世界 👋"),
      {
        role: "assistant",
        content: [
          { type: "thinking", text: "hm" },
          { type: "toolCall", toolCallId: "1", toolName: "time", params: { zone: null } },
        ],
        provider: "p",
        model: "m",
        usage: { input: 1 },
        stopReason: "tool-calls",
        timestamp: START,
      },
      {
        role: "toolResult",
        toolCallId: "1",
        toolName: "time",
        content: [{ type: "image", data: "AA==", mimeType: "image/png" }],
        isError: false,
        details: JSON.parse('{"__proto__": 1}'),
        timestamp: START,
      },
    ];
    const appended: { entryId: string; seq: number }[] = [];
    for (const message of messages) {
      appended.push(await store.messages.transcript.append({ sessionId, runId: "run", message }));
    }
    expect(appended.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    await store.close();

    const reopened = await openTestStore(database);
    const entries = await reopened.messages.transcript.load(sessionId);
    expect(entries).toEqual(
      messages.map((message, index) => ({
        ...appended[index],
        sessionId,
        runId: "run",
        message: wellFormed(message),
        createdAt: expect.any(Number),
      })),
    );
    for (const { entryId } of entries) expect(entryId).toMatch(UUID_V7);
  });

  it("counts the messages of the session and marks it as used", async () => {
    const store = await openTestStore();
    const sessionId = await openSession(store);
    const before = await store.sessions.get("session");
    await store.messages.transcript.append({ sessionId, message: said("one") });
    await store.messages.transcript.append({ sessionId, message: said("two") });
    const after = await store.sessions.get("session");
    expect(after?.messageCount).toBe(2);
    expect(after?.updatedAt).toBeGreaterThan(before?.updatedAt ?? Number.POSITIVE_INFINITY);
    expect(await store.messages.transcript.count(sessionId)).toBe(2);
    const [entry] = await store.messages.transcript.load(sessionId);
    expect(entry).toMatchObject({ seq: 1, runId: undefined });
  });

  it("numbers concurrent writes of several sessions without gaps or repeats", async () => {
    const store = await openTestStore();
    const sessions = [await openSession(store, "a"), await openSession(store, "b")];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const sessionId = sessions[index % 2] ?? "";
        return store.messages.transcript.append({ sessionId, message: said(String(index)) });
      }),
    );
    for (const sessionId of sessions) {
      const entries = await store.messages.transcript.load(sessionId);
      expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    }
  });

  it("rejects an unknown session id", async () => {
    const store = await openTestStore();
    const appended = store.messages.transcript.append({ sessionId: "nowhere", message: said("x") });
    await expect(appended).rejects.toThrow(RowNotFoundError);
    await expect(appended).rejects.toThrow(
      "transcript.append: incarnation nowhere does not exist; open the session first",
    );
  });

  it("rejects a message that is not JSON, and writes nothing", async () => {
    const store = await openTestStore();
    const sessionId = await openSession(store);
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const message = Object.assign(said("x"), { details: cycle });
    await expect(store.messages.transcript.append({ sessionId, message })).rejects.toThrow(
      RowDataError,
    );
    expect(await store.messages.transcript.count(sessionId)).toBe(0);
  });
});

describe("transcript.load", () => {
  it("returns the last entries, or the last before a position, in order", async () => {
    const store = await openTestStore();
    const sessionId = await openSession(store);
    for (let seq = 1; seq <= 6; seq += 1) {
      await store.messages.transcript.append({ sessionId, message: said(String(seq)) });
    }
    const seqs = async (options?: { limit?: number; beforeSeq?: number }) =>
      (await store.messages.transcript.load(sessionId, options)).map(({ seq }) => seq);
    expect(await seqs()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await seqs({ limit: 2 })).toEqual([5, 6]);
    expect(await seqs({ beforeSeq: 4 })).toEqual([1, 2, 3]);
    expect(await seqs({ limit: 2, beforeSeq: 4 })).toEqual([2, 3]);
    expect(await seqs({ limit: 2, beforeSeq: 1 })).toEqual([]);
  });

  it("returns nothing for an unknown session id", async () => {
    const store = await openTestStore();
    expect(await store.messages.transcript.load("nowhere")).toEqual([]);
    expect(await store.messages.transcript.count("nowhere")).toBe(0);
  });

  it("rejects a limit below 1", async () => {
    const store = await openTestStore();
    await expect(store.messages.transcript.load("any", { limit: 0 })).rejects.toThrow(
      StoreArgumentError,
    );
  });

  const many = affordable(3_000);
  it(`loads all of ${many} entries`, async () => {
    const store = await openTestStore({ durability: "process" });
    const sessionId = await openSession(store);
    await store.transaction(async (inside) => {
      for (let seq = 1; seq <= many; seq += 1) {
        await inside.messages.transcript.append({ sessionId, message: said(`message ${seq}`) });
      }
    });
    const entries = await store.messages.transcript.load(sessionId);
    expect(entries).toHaveLength(many);
    expect(entries.every(({ seq }, index) => seq === index + 1)).toBe(true);
    expect(entries.at(-1)?.message).toEqual(said(`message ${many}`));
  });
});
