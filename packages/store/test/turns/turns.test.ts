import { describe, expect, it } from "vitest";
import { RowConstraintError, RowNotFoundError, RowStateError } from "../../src/errors.js";
import type { TurnEnd } from "../../src/index.js";
import { inbound, openTestStore, queueTurn, storeDatabase } from "../support/open-store.js";

describe("turns.enqueue", () => {
  it("stores a queued turn that survives a reopen", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    const { turn } = await queueTurn(store, { payload: { content: "rewritten", route: [1] } });
    await store.close();
    const reopened = await openTestStore(database);
    expect(await reopened.turns.get("run")).toEqual({
      ...turn,
      state: "queued",
      attempts: 0,
      queuedAt: expect.any(Number),
    });
  });

  it("rejects a run id that is taken", async () => {
    const store = await openTestStore();
    const { turn } = await queueTurn(store);
    const again = store.turns.enqueue(turn);
    await expect(again).rejects.toThrow(RowStateError);
    await expect(again).rejects.toThrow(
      "turns.enqueue(run): expected a row that is absent, but it is present; give each turn its own run id",
    );
  });

  it("rejects a turn without its message or session", async () => {
    const store = await openTestStore();
    const { turn } = await queueTurn(store);
    const orphan = store.turns.enqueue({ ...turn, runId: "orphan", inboxId: "nowhere" });
    await expect(orphan).rejects.toThrow(RowNotFoundError);
    await expect(orphan).rejects.toThrow(
      /^turns\.enqueue\(orphan\): message nowhere, session session /,
    );
    expect(await store.turns.get("orphan")).toBeUndefined();
  });

  it("passes on any other error of the database", async () => {
    const store = await openTestStore();
    const { turn } = await queueTurn(store);
    // A caller without types may omit a field that the table requires.
    const incomplete = { ...turn, runId: "incomplete", trigger: Reflect.get({}, "trigger") };
    const enqueued = store.turns.enqueue(incomplete);
    await expect(enqueued).rejects.toThrow(RowConstraintError);
    await expect(enqueued).rejects.toThrow(/triggered_by.*; nothing of this write was kept/);
  });
});

describe("turns.begin", () => {
  it("starts a queued turn once", async () => {
    const store = await openTestStore();
    await queueTurn(store);
    expect(await store.turns.begin("run")).toMatchObject({
      state: "running",
      attempts: 1,
      startedAt: expect.any(Number),
    });
    await expect(store.turns.begin("run")).rejects.toThrow(
      "turns.begin(run): expected a row that is queued, but it is running; it is already running",
    );
  });

  it("resumes a running turn after a restart and counts the attempts", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    await queueTurn(store);
    await store.turns.begin("run");
    await store.close();
    const reopened = await openTestStore(database);
    const resumed = await reopened.turns.begin("run", { resume: true });
    expect(resumed).toMatchObject({ state: "running", attempts: 2 });
  });

  it("rejects a turn that has ended or does not exist", async () => {
    const store = await openTestStore();
    await queueTurn(store);
    await store.turns.finish("run", { state: "interrupted" });
    await expect(store.turns.begin("run", { resume: true })).rejects.toThrow(
      "expected a row that is queued, running or awaiting_approval, but it is interrupted; a turn ends only once",
    );
    await expect(store.turns.begin("nowhere")).rejects.toThrow(RowNotFoundError);
  });
});

describe("turns.pause", () => {
  it("marks a running turn as waiting, which can then resume, end, or be found after a restart", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    await queueTurn(store);
    await expect(store.turns.pause("run")).rejects.toThrow("expected a row that is running");
    await store.turns.begin("run");
    expect(await store.turns.pause("run")).toMatchObject({ state: "awaiting_approval" });
    await expect(store.turns.pause("run")).rejects.toThrow(RowStateError);
    await expect(store.turns.begin("run")).rejects.toThrow(RowStateError);
    await expect(store.turns.pause("nowhere")).rejects.toThrow(RowNotFoundError);
    await store.close();

    const reopened = await openTestStore(database);
    expect(await reopened.turns.unfinished()).toMatchObject([{ state: "awaiting_approval" }]);
    const resumed = await reopened.turns.begin("run", { resume: true });
    expect(resumed).toMatchObject({ state: "running", attempts: 2 });
    await reopened.turns.pause("run");
    expect(await reopened.turns.finish("run", { state: "interrupted" })).toMatchObject({
      state: "interrupted",
    });
    expect(await reopened.turns.unfinished()).toEqual([]);
  });
});

describe("turns.finish", () => {
  it("stores how a turn ended and deletes its payload", async () => {
    const store = await openTestStore();
    const { turn } = await queueTurn(store, { payload: { content: "text" } });
    await store.turns.begin("run");
    const finished = await store.turns.finish("run", {
      state: "failed",
      stopReason: "error",
      error: { code: "PROVIDER", message: "no answer", stage: "model" },
      usage: { input: 12, output: 0 },
    });
    const { payload, ...rest } = turn;
    expect(payload).toBeDefined();
    expect(finished).toEqual({
      ...rest,
      state: "failed",
      attempts: 1,
      queuedAt: expect.any(Number),
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      stopReason: "error",
      error: { code: "PROVIDER", message: "no answer", stage: "model" },
      usage: { input: 12, output: 0 },
    });
    expect(await store.turns.get("run")).toEqual(finished);
  });

  it("ends a turn once", async () => {
    const store = await openTestStore();
    await queueTurn(store);
    await store.turns.finish("run", { state: "completed" });
    const again = store.turns.finish("run", { state: "failed" });
    await expect(again).rejects.toThrow(RowStateError);
    await expect(again).rejects.toMatchObject({ state: "completed" });
    await expect(store.turns.finish("nowhere", { state: "failed" })).rejects.toThrow(
      RowNotFoundError,
    );
  });

  it.each<[TurnEnd, string]>([
    ["blocked", ""],
    ["completed", "hello"],
    ["failed", "hello"],
    ["interrupted", "hello"],
  ])("leaves the message of a %s turn with %j", async (state, content) => {
    const store = await openTestStore();
    await queueTurn(store);
    await store.turns.finish("run", { state });
    expect((await store.messages.inbox.get("message"))?.content).toBe(content);
  });
});

describe("turns.eraseText", () => {
  it("[TURN-024] empties the message of a turn and what the turn knows of it, and leaves other turns", async () => {
    const store = await openTestStore();
    for (const name of ["blocked", "other"]) {
      const runId = `run of ${name}`;
      await queueTurn(store, { runId, inboxId: name, payload: { text: "a plan" } });
      await store.turns.begin(runId);
    }
    await store.turns.eraseText("run of blocked");
    expect((await store.messages.inbox.get("blocked"))?.content).toBe("");
    expect((await store.turns.get("run of blocked"))?.payload).toBeUndefined();
    expect((await store.messages.inbox.get("other"))?.content).toBe("hello");
    expect((await store.turns.get("run of other"))?.payload).toEqual({ text: "a plan" });
  });
});

describe("turns.unfinished", () => {
  it("lists queued and running turns in the order their messages were committed", async () => {
    const store = await openTestStore();
    for (const id of ["third", "first", "second"])
      await store.messages.inbox.accept(inbound({ id }));
    for (const id of ["first", "second", "third"]) {
      await queueTurn(store, { runId: `run of ${id}`, inboxId: id });
    }
    await store.turns.begin("run of first");
    await store.turns.begin("run of second");
    await store.turns.finish("run of second", { state: "completed" });
    const unfinished = await store.turns.unfinished();
    expect(unfinished.map(({ runId, state }) => [runId, state])).toEqual([
      ["run of third", "queued"],
      ["run of first", "running"],
    ]);
  });
});

describe("turns.amend", () => {
  it("changes the payload of a queued turn, and nothing once it has started", async () => {
    const store = await openTestStore();
    await queueTurn(store, { payload: { text: "one" } });
    expect(await store.turns.amend("run", { text: "one and two" })).toMatchObject({
      payload: { text: "one and two" },
    });
    expect(await store.turns.begin("run")).toMatchObject({ payload: { text: "one and two" } });
    expect(await store.turns.amend("run", { text: "three" })).toBeUndefined();
    expect(await store.turns.amend("none", { text: "three" })).toBeUndefined();
  });
});
