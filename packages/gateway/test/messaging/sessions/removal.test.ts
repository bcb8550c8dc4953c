import { deleteSession } from "@openclaw/messaging";
import type { SessionContext } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import { createTestHost, gate, message, openTestStore, SESSION } from "../../support/host.js";

/** Creates a host that records the session hooks. */
async function watchedHost(wait?: Promise<void>) {
  const store = await openTestStore();
  const seen: [name: string, event: object, sessionId: string | undefined][] = [];
  const cleaned: object[] = [];
  const host = await createTestHost({
    store,
    register(api) {
      for (const name of ["before_reset", "session_end", "session_start"] as const) {
        api.on(name, (event: object, { sessionId }: SessionContext) => {
          seen.push([name, event, sessionId]);
        });
      }
      api.on("before_agent_run", async () => {
        await wait;
        return undefined;
      });
      api.lifecycle.registerRuntimeLifecycle({
        id: "notes",
        cleanup: (event: object) => void cleaned.push(event),
      });
    },
  });
  const say = (text: string) => host.flow.receive(message(text), {});
  return { host, store, seen, cleaned, say };
}

describe("deleteSession", () => {
  it("[TURN-010] ends the session as deleted before the next message starts a new one", async () => {
    const { host, store, seen, cleaned, say } = await watchedHost();
    await say("remember me");
    const before = await store.sessions.get(SESSION);
    seen.length = 0;
    const end = await deleteSession(SESSION, host);
    await say("who am I?");
    expect(end).toMatchObject({ sessionKey: SESSION, sessionId: before?.sessionId });
    const after = await store.sessions.get(SESSION);
    expect(seen).toMatchObject([
      [
        "session_end",
        { sessionId: before?.sessionId, sessionKey: SESSION, reason: "deleted", messageCount: 2 },
        before?.sessionId,
      ],
      ["session_start", { sessionId: after?.sessionId, reason: "new" }, after?.sessionId],
    ]);
    expect(seen[0]?.[1]).not.toHaveProperty("nextSessionId");
    expect(cleaned).toMatchObject([{ reason: "delete", sessionKey: SESSION }]);
    expect(after?.sessionId).not.toBe(before?.sessionId);
    expect(host.asked().at(-1)).not.toContain("remember me");
  });

  it("stops its subagents", async () => {
    const { host, store } = await watchedHost();
    await store.sessions.open(SESSION, { agentId: "main" });
    const stopped: string[] = [];
    const stopSubagentsOf = async (sessionKey: string) => stopped.push(sessionKey);
    await deleteSession(SESSION, { ...host, subagents: { stopSubagentsOf } });
    expect(stopped).toEqual([SESSION]);
  });

  it("rejects a session with an unfinished turn", async () => {
    const held = gate();
    const { host, store, say } = await watchedHost(held.passed);
    const reply = say("a long task");
    await expect.poll(() => host.live.turns(SESSION).length).toBe(1);
    const deleting = deleteSession(SESSION, host);
    await expect(deleting).rejects.toMatchObject({ code: "SESSION_BUSY", sessionKey: SESSION });
    await expect(deleting).rejects.toThrow("has not ended; wait until it ends");
    held.pass();
    expect(await reply).toMatchObject({ status: "replied" });
    expect(await store.sessions.get(SESSION)).toMatchObject({ messageCount: 2 });
  });

  it("rejects a session with an unfinished turn of an earlier process", async () => {
    const { host, store } = await watchedHost();
    const { session } = await store.sessions.open(SESSION, { agentId: "main" });
    await store.messages.inbox.accept({
      id: "message",
      channel: "terminal",
      accountId: "default",
      conversationId: "terminal",
      senderId: "operator",
      content: "hello",
      attachments: [],
      receivedAt: 1,
      metadata: {},
    });
    const { sessionKey, sessionId, agentId } = session;
    const turn = { runId: "run", inboxId: "message", trigger: "user" } as const;
    await store.turns.enqueue({ ...turn, sessionKey, sessionId, agentId });
    await expect(deleteSession(SESSION, host)).rejects.toThrow("turn run has not ended");
    expect(await store.sessions.get(SESSION)).toBeDefined();
  });

  it("suggests the nearest key for an unknown session", async () => {
    const { host, say } = await watchedHost();
    await say("hello");
    const deleting = deleteSession("agent:main:mian", host);
    await expect(deleting).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await expect(deleting).rejects.toThrow('did you mean "agent:main:main"?');
  });
});
