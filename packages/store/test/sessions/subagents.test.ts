import { describe, expect, it } from "vitest";
import { RowNotFoundError, RowStateError } from "../../src/errors.js";
import type { NewSubagent, Store } from "../../src/index.js";
import { openTestStore, START, storeDatabase } from "../support/open-store.js";

const PARENT = "agent:main:main";

async function addChild(store: Store, name: string, changes: Partial<NewSubagent> = {}) {
  const sessionKey = `agent:main:subagent:${name}`;
  return await store.transaction(async (unit) => {
    await unit.sessions.open(sessionKey, { agentId: "main" });
    return await unit.sessions.subagents.add({
      runId: `run-${name}`,
      sessionKey,
      parentSessionKey: PARENT,
      parentRunId: "run-parent",
      depth: 1,
      parentTools: ["read", "echo"],
      requester: { channel: "terminal", to: "terminal" },
      ...changes,
    });
  });
}

describe("subagents of sessions", () => {
  it("stores the parameters of a subagent across a reopen", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: () => START });
    const asked = {
      label: "odd \0 label",
      tools: ["read"],
      timeoutMs: 500,
      deliveryOrigin: { channel: "telegram", to: "42" },
      depth: 2,
      parentSessionKey: "agent:main:subagent:above",
    };
    const added = await addChild(store, "one", asked);
    await store.close();

    const { timeoutMs, ...kept } = asked;
    const reopened = await openTestStore(database);
    expect(added).toEqual({
      runId: "run-one",
      sessionKey: "agent:main:subagent:one",
      parentRunId: "run-parent",
      parentTools: ["read", "echo"],
      requester: { channel: "terminal", to: "terminal" },
      createdAt: START,
      deadlineAt: START + timeoutMs,
      ...kept,
    });
    expect(await reopened.sessions.subagents.get("run-one")).toEqual(added);
    expect(await reopened.sessions.subagents.ofSession(added.sessionKey)).toEqual(added);
  });

  it("returns the newest subagents of one session, up to a limit", async () => {
    const store = await openTestStore();
    for (const name of ["a", "b", "c"]) await addChild(store, name);
    await addChild(store, "other", { parentSessionKey: "agent:main:other" });
    const found = await store.sessions.subagents.childrenOf(PARENT, { limit: 2 });
    expect(found.map(({ runId }) => runId)).toEqual(["run-b", "run-c"]);
  });

  it("counts a subagent as live until it is settled, which happens once", async () => {
    const store = await openTestStore();
    for (const name of ["a", "b"]) await addChild(store, name);
    await addChild(store, "other", { parentSessionKey: "agent:main:other" });
    const end = { outcome: "error", error: "the model failed" } as const;
    expect(await store.sessions.subagents.settle("run-a", end)).toBe(true);
    expect(await store.sessions.subagents.settle("run-a", { outcome: "ok" })).toBe(false);
    expect(await store.sessions.subagents.get("run-a")).toMatchObject({
      ...end,
      settledAt: expect.any(Number),
    });
    const runs = (found: readonly { runId: string }[]) => found.map(({ runId }) => runId);
    expect(runs(await store.sessions.subagents.live(PARENT))).toEqual(["run-b"]);
    expect(runs(await store.sessions.subagents.live())).toEqual(["run-b", "run-other"]);
  });

  it("records a stop reason once, and not after the end", async () => {
    const store = await openTestStore();
    for (const name of ["a", "b"]) await addChild(store, name);
    expect(await store.sessions.subagents.stop("run-a", "timeout")).toBe(true);
    expect(await store.sessions.subagents.stop("run-a", "stopped")).toBe(false);
    expect(await store.sessions.subagents.get("run-a")).toMatchObject({ stopReason: "timeout" });
    await store.sessions.subagents.settle("run-b", { outcome: "ok" });
    expect(await store.sessions.subagents.stop("run-b", "stopped")).toBe(false);
    expect(await store.sessions.subagents.stop("run-absent", "stopped")).toBe(false);
  });

  it("stores the answer of a subagent", async () => {
    const store = await openTestStore();
    await addChild(store, "a");
    await store.sessions.subagents.keepResult("run-a", "Forty-two\0.");
    expect(await store.sessions.subagents.get("run-a")).toMatchObject({ result: "Forty-two\0." });
  });

  it("rejects a subagent without a session, and a second one of a run", async () => {
    const store = await openTestStore();
    const { createdAt: _at, ...child } = await addChild(store, "a");
    await expect(store.sessions.subagents.add(child)).rejects.toThrow(RowStateError);
    const homeless = { ...child, runId: "run-x", sessionKey: "agent:main:subagent:x" };
    await expect(store.sessions.subagents.add(homeless)).rejects.toThrow(RowNotFoundError);
  });
});
