import { describe, expect, it } from "vitest";
import { TABLE_NAMES } from "../../src/contexts.js";
import { runBeside } from "../support/database-beside.js";
import { inbound, openTestStore, queueTurn, storeDatabase } from "../support/open-store.js";

/** Opens a store with two sessions that have every kind of data. */
async function storeOfTwo() {
  const place = storeDatabase();
  const store = await openTestStore(place);
  for (const name of ["doomed", "kept"]) {
    const sessionKey = `session ${name}`;
    const runId = `run ${name}`;
    const inboxId = `message ${name}`;
    const { session } = await queueTurn(store, { runId, inboxId, sessionKey });
    const { sessionId } = session;
    await store.messages.inbox.settle(inboxId, { state: "queued", sessionKey, runId });
    const content = [{ type: "text" as const, text: `secret of ${name}` }];
    await store.messages.transcript.append({
      sessionId,
      runId,
      message: { role: "user", content, timestamp: 1 },
    });
    await store.messages.compactions.record({
      sessionId,
      upToSeq: 1,
      strategy: "truncate",
      compactedCount: 1,
    });
    await store.sessions.tokenTotals.add({ agentId: "agent", sessionId }, 10);
    await store.sessions.injections.enqueue("guard", { sessionKey, text: `secret of ${name}` });
    const extension = { pluginId: "guard", sessionKey, namespace: "state" };
    await store.sessions.extensions.patch(extension, { secret: name });
    const target = { channel: "test", to: "sender" };
    await store.messages.outbox.add({
      runId,
      part: 0,
      inboxId,
      sessionKey,
      target,
      content: `secret of ${name}`,
    });
    const secret = { text: `secret of ${name}` };
    await store.messages.outcomes.add({ messageId: inboxId, sessionKey, outcome: secret });
    const response = { id: `resp ${name}`, messageId: inboxId, sessionKey, sender: "owner" };
    await store.messages.responses.add({ ...response, request: secret });
    const call = { runId, sessionKey, toolCallId: "call", tool: "exec", decider: "policy" };
    await store.decisions.toolAuditLog.add(call);
    // A message that was answered without a turn; the texts contain its ID.
    const id = `command ${name}`;
    await store.messages.inbox.accept(inbound({ id, content: `secret of ${name}` }));
    await store.messages.inbox.settle(id, { state: "answered", sessionKey });
    await store.messages.outbox.add({
      runId: id,
      part: 0,
      inboxId: id,
      sessionKey,
      target,
      content: `secret of ${name}`,
    });
  }
  return { place, store };
}

describe("sessions.remove", () => {
  it("removes all data of the session, and nothing of another", async () => {
    const { place, store } = await storeOfTwo();
    await store.turns.finish("run doomed", { state: "completed" });
    const { sessionId } = (await store.sessions.get("session doomed")) ?? {};
    const counts = async () => {
      const counted = TABLE_NAMES.map(async (table) => {
        const [row] = await runBeside(place, `select count(*) as n from ${table}`);
        return [table, Number(row?.n)] as const;
      });
      return Object.fromEntries(await Promise.all(counted));
    };
    const before = await counts();
    const end = await store.sessions.remove("session doomed");
    expect(end).toMatchObject({ sessionKey: "session doomed", sessionId, messageCount: 1 });
    const removed = Object.entries(await counts()).map(([table, rows]) => [
      table,
      (before[table] ?? 0) - rows,
    ]);
    expect(Object.fromEntries(removed.filter(([, rows]) => rows !== 0))).toEqual({
      sessions: 1,
      session_incarnations: 1,
      turns: 1,
      transcript: 1,
      compactions: 1,
      journal: 3,
      token_totals: 1,
      outbox: 2,
      message_outcomes: 1,
      responses: 1,
      next_turn_injections: 1,
      session_extensions: 1,
    });
    for (const table of TABLE_NAMES) {
      const rows = await runBeside(place, `select * from ${table}`);
      expect(
        JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? 0 : value)),
      ).not.toContain("secret of doomed");
    }
    expect(await store.sessions.tokenTotals.of({ agentId: "agent" })).toBe(20);
    expect(await store.turns.unfinished()).toMatchObject([{ runId: "run kept" }]);
  });

  it("keeps the ids of messages, so that a repeat is still recognised", async () => {
    const { store } = await storeOfTwo();
    await store.turns.finish("run doomed", { state: "completed" });
    await store.sessions.remove("session doomed");
    const again = await store.messages.inbox.accept(inbound({ id: "message doomed" }));
    expect(again).toMatchObject({ duplicate: true, row: { content: "", metadata: {} } });
    const fresh = await store.sessions.open("session doomed", { agentId: "agent" });
    expect(fresh).toMatchObject({ created: true, session: { messageCount: 0 } });
  });

  it("rejects a session with an unfinished turn", async () => {
    const { store } = await storeOfTwo();
    const removing = store.sessions.remove("session doomed");
    await expect(removing).rejects.toMatchObject({ code: "ROW_STATE" });
    await expect(removing).rejects.toThrow("with a queued turn (run doomed)");
    expect(await store.sessions.get("session doomed")).toBeDefined();
  });

  it("does nothing for an unknown session", async () => {
    const store = await openTestStore();
    expect(await store.sessions.remove("nobody")).toBeUndefined();
  });
});
