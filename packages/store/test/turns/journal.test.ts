import { describe, expect, it } from "vitest";
import { RowDataError } from "../../src/errors.js";
import type { JournalStep } from "../../src/index.js";
import { runBeside } from "../support/database-beside.js";
import { openTestStore, queueTurn, START, storeDatabase } from "../support/open-store.js";

const REQUESTED: JournalStep = {
  kind: "model-requested",
  callId: "call",
  model: "p/m",
  digest: "0".repeat(64),
  messageCount: 1,
};

const STEPS: readonly JournalStep[] = [
  REQUESTED,
  {
    kind: "model-answered",
    callId: "call",
    message: {
      role: "assistant",
      content: [{ type: "toolCall", toolCallId: "1", toolName: "time", params: { zone: "\0" } }],
      provider: "p",
      model: "m",
      stopReason: "tool-calls",
      timestamp: START,
    },
    malformedCalls: [{ toolCallId: "2", problem: "no JSON" }],
  },
  { kind: "model-failed", callId: "call", error: { code: "MODEL_TIMEOUT", message: "too slow" } },
  { kind: "approval-asked", toolCallId: "1", toolName: "time", title: "time?" },
  { kind: "approval-decided", toolCallId: "1", decision: "allow" },
  { kind: "tool-intended", toolCallId: "1", toolName: "time", params: { zone: "\0" } },
  {
    kind: "tool-answered",
    toolCallId: "1",
    message: {
      role: "toolResult",
      toolCallId: "1",
      toolName: "time",
      content: [{ type: "text", text: "noon" }],
      isError: false,
      timestamp: START,
    },
    isSynthetic: false,
    terminate: false,
  },
];

describe("turns.journal", () => {
  it("stores the steps of each run in order, across a reopen", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    for (const step of STEPS) {
      await store.turns.journal.append({ runId: "run\0one", step });
      await store.turns.journal.append({ runId: "other", step: REQUESTED });
    }
    await store.close();

    const reopened = await openTestStore(database);
    const entries = await reopened.turns.journal.load("run\0one");
    expect(entries.map(({ step }) => step)).toEqual(STEPS);
    expect(entries.map(({ seq }) => seq)).toEqual(STEPS.map((_, index) => index + 1));
    expect(
      entries.every(({ runId, createdAt }) => runId === "run\0one" && createdAt >= START),
    ).toBe(true);
    expect(await reopened.turns.journal.append({ runId: "run\0one", step: REQUESTED })).toEqual({
      seq: STEPS.length + 1,
    });
    expect(await reopened.turns.journal.load("no such run")).toEqual([]);
  });

  it("contains a step for every message of a run, and none for other messages", async () => {
    const store = await openTestStore();
    const { sessionId } = (await store.sessions.open("session", { agentId: "agent" })).session;
    const message = { role: "user" as const, content: [], timestamp: START };
    await store.messages.transcript.append({ sessionId, message });
    const { entryId } = await store.messages.transcript.append({
      sessionId,
      runId: "run",
      message,
    });
    expect(await store.turns.journal.load("run")).toMatchObject([
      { step: { kind: "message-stored", entryId, sessionId, seq: 2, role: "user" } },
    ]);
  });

  it("contains a step for every stored part of a reply, and one for its outcome", async () => {
    const store = await openTestStore();
    const target = { channel: "test", to: "me" };
    const ends = [
      (id: string) => store.messages.outbox.delivered(id),
      (id: string) => store.messages.outbox.suppressed(id, "a hook"),
      (id: string) =>
        store.messages.outbox.failed(id, { error: { code: "X", message: "x" }, attempts: 4 }),
    ];
    for (const [part, end] of ends.entries()) {
      const reply = { runId: "run", part, sessionKey: "session", target, content: "hi" };
      const { row } = await store.messages.outbox.add(reply);
      expect((await store.messages.outbox.add(reply)).duplicate).toBe(true);
      await end(row.id);
      await expect(end(row.id)).rejects.toMatchObject({ code: "ROW_STATE" });
    }
    const steps = (await store.turns.journal.load("run")).map(({ step }) => step);
    expect(steps).toMatchObject([
      ...[
        { kind: "reply-stored", part: 0 },
        { part: 0, state: "delivered" },
      ],
      ...[
        { kind: "reply-stored", part: 1 },
        { part: 1, state: "suppressed" },
      ],
      ...[
        { kind: "reply-stored", part: 2 },
        { part: 2, state: "failed" },
      ],
    ]);
    expect(steps.map(({ kind }) => kind).slice(0, 2)).toEqual(["reply-stored", "part-settled"]);
  });

  it("stores a step and its row in one transaction", async () => {
    const store = await openTestStore();
    const { sessionId } = (await store.sessions.open("session", { agentId: "agent" })).session;
    const undone = store.transaction(async (inside) => {
      const message = { role: "user" as const, content: [], timestamp: START };
      await inside.messages.transcript.append({ sessionId, runId: "run", message });
      await inside.turns.journal.append({ runId: "run", step: REQUESTED });
      throw new Error("the host ended here");
    });
    await expect(undone).rejects.toThrow("the host ended here");
    expect(await store.turns.journal.load("run")).toEqual([]);
    expect(await store.messages.transcript.count(sessionId)).toBe(0);
  });

  it("is not changed by queueing a turn", async () => {
    const store = await openTestStore();
    await queueTurn(store);
    expect(await store.turns.journal.load("run")).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    ["another kind", `update journal set step = '{"kind":"danced"}'`, /JSON of a different shape/],
    [
      "a kind every object has",
      `update journal set step = '{"kind":"toString"}'`,
      /a different shape/,
    ],
    ["no kind", `update journal set step = '{}'`, /JSON of a different shape/],
    ["no object", `update journal set step = '1'`, /JSON of a different shape/],
    [
      "a field missing",
      `update journal set step = '{"kind":"model-failed","callId":"c"}'`,
      /shape/,
    ],
    [
      "a field of another type",
      `update journal set step = replace(step, '"messageCount":1', '"messageCount":"1"')`,
      /shape/,
    ],
  ])("rejects a row of %s", async (_what, change, problem) => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    await store.turns.journal.append({ runId: "run", step: REQUESTED });
    await runBeside(database, change);
    const loading = store.turns.journal.load("run");
    await expect(loading).rejects.toThrow(RowDataError);
    await expect(loading).rejects.toThrow(problem);
  });

  it("[SCALE-024] is not read when a newer version wrote a step of it", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    await store.turns.journal.append({ runId: "run", step: REQUESTED });
    await store.turns.journal.append({ runId: "other", step: REQUESTED });
    await runBeside(database, "update journal set format = 1000 where run_id = 'run'");
    await expect(store.turns.journal.load("run")).rejects.toMatchObject({
      code: "JOURNAL_TOO_NEW",
    });
    expect(await store.turns.journal.load("other")).toHaveLength(1);
  });

  it("rejects a step that is not JSON", async () => {
    const store = await openTestStore();
    const step = { ...REQUESTED, messageCount: 1n } as unknown as JournalStep;
    await expect(store.turns.journal.append({ runId: "run", step })).rejects.toThrow(RowDataError);
  });
});
