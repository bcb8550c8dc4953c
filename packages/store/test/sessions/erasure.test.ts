import { describe, expect, it } from "vitest";
import { TABLE_NAMES } from "../../src/contexts.js";
import { runBeside } from "../support/database-beside.js";
import { inbound, openTestStore, queueTurn, storeDatabase } from "../support/open-store.js";

/** Opens a store with a conversation in which every table that can has a text, and another one. */
async function storeOfTwo() {
  const place = storeDatabase();
  const store = await openTestStore(place);
  const sessionIds: string[] = [];
  for (const name of ["emptied", "kept"]) {
    const text = `words of ${name}`;
    const [sessionKey, runId, inboxId] = [`session ${name}`, `run ${name}`, `message ${name}`];
    const { session } = await queueTurn(store, { runId, inboxId, sessionKey });
    const { sessionId } = session;
    sessionIds.push(sessionId);
    await store.messages.inbox.settle(inboxId, { state: "queued", sessionKey, runId });
    const content = [{ type: "text" as const, text }];
    const message = { role: "user" as const, content, timestamp: 1 };
    await store.messages.transcript.append({ sessionId, runId, message });
    const compaction = { strategy: "summarise" as const, summary: text, compactedCount: 1 };
    await store.messages.compactions.record({ sessionId, upToSeq: 1, ...compaction });
    const target = { channel: "test", to: "sender" };
    const part = { runId, part: 0, inboxId, sessionKey, target, content: text };
    const { row } = await store.messages.outbox.add(part);
    await store.messages.outbox.suppressed(row.id, "no_channel");
    await store.messages.outcomes.add({ messageId: inboxId, sessionKey, outcome: { text } });
    const response = { id: `resp ${name}`, messageId: inboxId, sessionKey, sender: "owner" };
    await store.messages.responses.add({ ...response, request: { text } });
    await store.turns.finish(runId, { state: "completed" });
    // A message that was answered without a turn, and one that waits.
    await store.messages.inbox.accept(inbound({ id: `command ${name}`, content: text }));
    await store.messages.inbox.settle(`command ${name}`, { state: "answered", sessionKey });
  }
  return { place, store, sessionId: sessionIds[0] ?? "" };
}

describe("sessions.erase", () => {
  it("[SUB-034] leaves no text of the conversation in any table, and all text of another", async () => {
    const { place, store, sessionId } = await storeOfTwo();
    const tablesWith = async (text: string) => {
      const found: string[] = [];
      for (const table of TABLE_NAMES) {
        const rows = await runBeside(place, `select * from ${table}`);
        if (JSON.stringify(rows).includes(text)) found.push(table);
      }
      return found.sort();
    };
    const kept = await tablesWith("words of kept");
    expect(await tablesWith("words of emptied")).toEqual(kept);
    expect(kept).toEqual([
      ...["compactions", "inbox", "message_outcomes", "outbox", "responses", "transcript"],
    ]);
    await store.sessions.erase(sessionId);
    expect(await tablesWith("words of emptied")).toEqual([]);
    expect(await tablesWith("words of kept")).toEqual(kept);
    expect(await store.sessions.get("session emptied")).toMatchObject({ messageCount: 0 });
  });

  it("[SUB-034] erases the copies of its messages that set off runs of routines", async () => {
    const { store, sessionId } = await storeOfTwo();
    const routine = { routineId: "id", name: "watcher", agentId: "main", sessionKey: "cron" };
    const asked = { owner: "owner", creator: {}, scheduledFrom: 0, enabled: true, definition: {} };
    await store.routines.add({ ...routine, ...asked });
    const input = { source: "a message", text: "words" };
    const run = { routineId: "id", origin: "event", state: "queued", input } as const;
    await store.routines.runs.claim({ ...run, plannedAt: 1, identity: "message emptied" });
    await store.routines.runs.claim({ ...run, plannedAt: 2, identity: "message kept" });
    await store.sessions.erase(sessionId);
    const [kept, erased] = await store.routines.runs.of({ routineId: "id", limit: 2 });
    expect(erased?.input).toBeUndefined();
    expect(kept?.input).toEqual(input);
  });

  it("[SUB-034] keeps the text of a message that waits, and continues the conversation", async () => {
    const { place, store, sessionId } = await storeOfTwo();
    const sessionKey = "session emptied";
    await queueTurn(store, { runId: "next", inboxId: "waiting", sessionKey });
    await store.messages.inbox.settle("waiting", { state: "queued", sessionKey, runId: "next" });
    await store.sessions.erase(sessionId);
    const waiting = await runBeside(place, "select content from inbox where id = 'waiting'");
    expect(waiting[0]?.content).not.toBe("");
    const content = [{ type: "text" as const, text: "again" }];
    const message = { role: "user" as const, content, timestamp: 2 };
    const entry = await store.messages.transcript.append({ sessionId, runId: "next", message });
    expect(entry.seq).toBe(2);
    expect(await store.messages.transcript.load(sessionId)).toHaveLength(1);
    expect((await store.messages.transcript.messages(sessionId)).messages).toHaveLength(1);
  });
});
