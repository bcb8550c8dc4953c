import { describe, expect, it } from "vitest";
import { RowNotFoundError } from "../../src/errors.js";
import { openTestStore, storeDatabase } from "../support/open-store.js";

describe("compactions of a session", () => {
  it("keep the transcript complete, and record from which entry on it is sent", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    const { session } = await store.sessions.open("agent:main:main", { agentId: "main" });
    const { sessionId } = session;
    for (const text of ["one", "two", "three"]) {
      await store.messages.transcript.append({
        sessionId,
        message: { role: "user", content: [{ type: "text", text }], timestamp: 1 },
      });
    }
    expect(await store.messages.compactions.latest(sessionId)).toBeUndefined();
    await store.messages.compactions.record({
      sessionId,
      upToSeq: 1,
      strategy: "truncate",
      compactedCount: 1,
    });
    const summary = "They counted.";
    const newest = { sessionId, upToSeq: 2, strategy: "summarise", summary } as const;
    await store.messages.compactions.record({ ...newest, runId: "run-1", compactedCount: 2 });
    await store.messages.compactions.annotate(sessionId, 2, "noted");
    await store.close();

    const { compactions, transcript } = (await openTestStore(database)).messages;
    expect(await compactions.latest(sessionId)).toEqual({
      ...newest,
      runId: "run-1",
      compactedCount: 2,
      annotation: "noted",
      createdAt: expect.any(Number),
    });
    const shown = await transcript.load(sessionId, { afterSeq: 2 });
    expect(shown.map(({ seq }) => seq)).toEqual([3]);
    expect(await transcript.count(sessionId)).toBe(3);
  });

  it("are rejected without an incarnation to compact or a compaction to annotate", async () => {
    const { compactions } = (await openTestStore()).messages;
    const unknown = { sessionId: "nobody", upToSeq: 1, strategy: "truncate" } as const;
    await expect(compactions.record({ ...unknown, compactedCount: 1 })).rejects.toThrow(
      RowNotFoundError,
    );
    await expect(compactions.annotate("nobody", 1, "noted")).rejects.toThrow(RowNotFoundError);
  });
});
