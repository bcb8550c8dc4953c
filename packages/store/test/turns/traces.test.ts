import { describe, expect, it } from "vitest";
import { openTestStore, START, storeDatabase } from "../support/open-store.js";

const segment = (runId: string, hook: string) => ({
  runId,
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  hooks: [{ hook, handlers: [] }],
});

describe("turns.traces", () => {
  it("stores the segments of a run in order, separately from other runs", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: () => START });
    await store.turns.traces.add(segment("nul \0", "before_tool_call"));
    await store.turns.traces.add(segment("run-2", "agent_end"));
    await store.turns.traces.add(segment("nul \0", "message_sending"));
    await store.close();

    const { traces } = (await openTestStore(database)).turns;
    expect(await traces.of("nul \0")).toEqual([
      { ...segment("nul \0", "before_tool_call"), createdAt: START },
      { ...segment("nul \0", "message_sending"), createdAt: START },
    ]);
    expect(await traces.of("run-2")).toHaveLength(1);
    expect(await traces.of("run-3")).toEqual([]);
  });
});
