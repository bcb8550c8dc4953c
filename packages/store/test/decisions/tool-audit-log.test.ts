import { describe, expect, it } from "vitest";
import { StoreArgumentError } from "../../src/errors.js";
import { openTestStore, storeDatabase } from "../support/open-store.js";

const call = (runId: string, toolCallId: string) => ({
  runId,
  toolCallId,
  sessionKey: "agent:main:main",
  tool: "exec",
  decider: "plugin:guard",
});

describe("audit log of tool calls", () => {
  it("stores denied calls with decider and time, in order and across a reopen", async () => {
    const database = storeDatabase();
    let now = 10;
    const store = await openTestStore({ ...database, now: () => now++ });
    const odd = { ...call("run-1", "nul \0"), decider: "policy:global" };
    await store.decisions.toolAuditLog.add(call("run-1", "a"));
    await store.decisions.toolAuditLog.add(call("run-2", "b"));
    await store.decisions.toolAuditLog.add(odd);
    await store.close();

    const { toolAuditLog: toolAudit } = (await openTestStore(database)).decisions;
    const rows = await toolAudit.list();
    expect(rows.map(({ at: _at, ...row }) => row)).toEqual([
      call("run-1", "a"),
      call("run-2", "b"),
      odd,
    ]);
    expect(rows.map(({ at }) => at).every((at, index) => at > (rows[index - 1]?.at ?? 0))).toBe(
      true,
    );
    expect((await toolAudit.list({ runId: "run-1" })).map(({ toolCallId }) => toolCallId)).toEqual([
      "a",
      "nul \0",
    ]);
    expect((await toolAudit.list({ limit: 1 })).map(({ toolCallId }) => toolCallId)).toEqual([
      "nul \0",
    ]);
  });

  it("rolls back a denied call with its transaction", async () => {
    const store = await openTestStore();
    const undone = store.transaction(async (unit) => {
      await unit.decisions.toolAuditLog.add(call("run-1", "a"));
      throw new Error("undo");
    });
    await expect(undone).rejects.toThrow("undo");
    expect(await store.decisions.toolAuditLog.list()).toEqual([]);
  });

  it("rejects an invalid limit", async () => {
    const store = await openTestStore();
    await expect(store.decisions.toolAuditLog.list({ limit: 0 })).rejects.toThrow(
      StoreArgumentError,
    );
  });
});
