import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { openTestStore, START } from "../support/open-store.js";

function said(text: string): AgentMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: START };
}

describe("threads", () => {
  it("[SUB-023] continue with their entries, compactions and undone turns under a new ID", async () => {
    const store = await openTestStore();
    const { session } = await store.sessions.open("session", { agentId: "agent" });
    const first = session.sessionId;
    const { transcript, checkpoints, compactions } = store.messages;
    for (const runId of ["a", "b", "c"]) {
      await transcript.append({ sessionId: first, runId, message: said(runId) });
    }
    const cut = { upToSeq: 1, strategy: "truncate", compactedCount: 1 } as const;
    await compactions.record({ sessionId: first, ...cut });
    await checkpoints.undo(first);
    await store.sessions.renew("session");
    expect(await store.sessions.threads.list("session", 10)).toMatchObject([
      { sessionId: first, messageCount: 2, isCurrent: false },
    ]);

    const continued = await store.sessions.threads.continue("session", first);
    const { sessionId } = continued;
    expect(sessionId).not.toBe(first);
    expect((await store.sessions.get("session"))?.sessionId).toBe(sessionId);
    const texts = async (id: string) => (await transcript.load(id)).map(({ runId }) => runId);
    expect(await texts(sessionId)).toEqual(["a", "b"]);
    expect(await compactions.latest(sessionId)).toBeUndefined();
    expect((await checkpoints.redo(sessionId))?.checkpoint.checkpointId).toBe("c");
    expect(await compactions.latest(sessionId)).toMatchObject({ upToSeq: 1 });
    const added = await transcript.append({ sessionId, runId: "d", message: said("d") });
    expect(added.seq).toBe(4);
    expect(await texts(first)).toEqual(["a", "b"]);
    // The conversation is listed once, and its old ID leads to its newest incarnation.
    expect(await store.sessions.threads.list("session", 10)).toMatchObject([
      { sessionId, messageCount: 4, isCurrent: true },
    ]);
    expect(await store.sessions.threads.find("session", first)).toBe(sessionId);
    expect(await store.sessions.threads.find("session", sessionId)).toBe(sessionId);
  });

  it("[SUB-023] of another session are not found", async () => {
    const store = await openTestStore();
    const { session } = await store.sessions.open("one", { agentId: "agent" });
    await store.sessions.open("two", { agentId: "agent" });
    expect(await store.sessions.threads.find("two", session.sessionId)).toBeUndefined();
    expect(await store.sessions.threads.find("one", session.sessionId)).toBe(session.sessionId);
    expect(await store.sessions.threads.find("one", "none")).toBeUndefined();
    expect(await store.sessions.threads.list("one", 10)).toEqual([]);
  });
});
