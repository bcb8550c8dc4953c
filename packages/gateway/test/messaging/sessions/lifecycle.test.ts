import type { SessionConfiguration } from "@openclaw/messaging";
import type { SessionContext } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import { createTestHost, gate, message, openTestStore, SESSION } from "../../support/host.js";

const START = new Date(2026, 0, 10, 12).getTime();
const MINUTE = 60_000;

/** Creates a host that records the session hooks, with a clock that the test controls. */
async function watchedHost(reset?: SessionConfiguration["reset"]) {
  const clock = { now: START };
  const store = await openTestStore(() => clock.now);
  const seen: [name: string, event: object, context: object][] = [];
  const host = await createTestHost({
    store,
    now: () => clock.now,
    configuration: reset === undefined ? {} : { session: { reset } },
    register(api) {
      for (const name of ["before_reset", "session_end", "session_start"] as const) {
        api.on(name, (event: object, context: SessionContext) => {
          const { agentId, sessionKey, sessionId } = context;
          seen.push([name, event, { agentId, sessionKey, sessionId }]);
        });
      }
    },
  });
  const say = (text: string) => host.flow.receive(message(text), {});
  return { host, store, clock, seen, say, names: () => seen.map(([name]) => name) };
}

describe("SessionLifecycle", () => {
  it.each([
    ["/new", "new"],
    ["/reset", "reset"],
  ])(
    "[TURN-010] ends the session on %s before its successor starts, after plugins could read it",
    async (command, reason) => {
      const { host, seen, say, store } = await watchedHost();
      await say("remember me");
      const before = await store.sessions.get(SESSION);
      const outcome = await say(command);
      expect(outcome).toMatchObject({ status: "answered", text: "Started a new conversation." });
      const after = await store.sessions.get(SESSION);
      expect(seen).toMatchObject([
        ["session_start", { sessionId: before?.sessionId, reason: "new" }, { agentId: "main" }],
        [
          "before_reset",
          { reason: "command", messages: [{ role: "user" }, { role: "assistant" }] },
          { agentId: "main", sessionKey: SESSION },
        ],
        [
          "session_end",
          {
            sessionId: before?.sessionId,
            sessionKey: SESSION,
            reason,
            messageCount: 2,
            durationMs: 0,
            nextSessionId: after?.sessionId,
          },
          { agentId: "main", sessionKey: SESSION, sessionId: before?.sessionId },
        ],
        [
          "session_start",
          { sessionId: after?.sessionId, reason, resumedFrom: before?.sessionId },
          { agentId: "main", sessionId: after?.sessionId },
        ],
      ]);
      await say("who am I?");
      expect(host.asked().at(-1)).not.toContain("remember me");
      expect(await store.messages.inbox.get(outcome.messageId)).toMatchObject({
        state: "answered",
        sessionKey: SESSION,
      });
      expect(seen).toHaveLength(4);
    },
  );

  it("resets nothing for an unknown session", async () => {
    const { say, names } = await watchedHost();
    expect(await say("/new")).toMatchObject({ status: "answered" });
    expect(names()).toEqual([]);
  });

  it("resets between the messages before and after the command", async () => {
    const [asked, open] = [gate(), gate()];
    const host = await createTestHost({
      script: ({ prompt }) => {
        if (!JSON.stringify(prompt).includes("first")) return { text: "ok" };
        asked.pass();
        return { text: "ok", waitFor: open.passed };
      },
    });
    const first = host.flow.receive(message("first"), {});
    await asked.passed;
    const rest = ["/new", "second"].map((text) => host.flow.receive(message(text), {}));
    open.pass();
    expect(await Promise.all([first, ...rest])).toMatchObject([
      { status: "replied" },
      { status: "answered" },
      { status: "replied" },
    ]);
    expect(host.asked()).toHaveLength(2);
    expect(host.asked()[1]).not.toContain("first");
  });

  it("[TURN-010] ends a session after the configured idle time", async () => {
    const { seen, say, clock, names } = await watchedHost({ idleMinutes: 30 });
    await say("one");
    clock.now += 30 * MINUTE - 1;
    await say("two");
    expect(names()).toEqual(["session_start"]);
    clock.now += 30 * MINUTE;
    await say("three");
    expect(seen.slice(1)).toMatchObject([
      ["before_reset", { reason: "idle" }, {}],
      ["session_end", { reason: "idle", messageCount: 4 }, {}],
      ["session_start", { reason: "reset" }, {}],
    ]);
  });

  it("[TURN-010] ends a session at the configured hour of every day", async () => {
    const { seen, say, clock, names } = await watchedHost({ atHour: 4 });
    await say("noon");
    clock.now += 15 * 60 * MINUTE;
    await say("three in the morning");
    expect(names()).toEqual(["session_start"]);
    clock.now += 60 * MINUTE;
    await say("four in the morning");
    expect(seen.slice(1)).toMatchObject([
      ["before_reset", { reason: "daily" }, {}],
      ["session_end", { reason: "daily" }, {}],
      ["session_start", { reason: "reset" }, {}],
    ]);
    clock.now += 60 * MINUTE;
    await say("five");
    expect(seen).toHaveLength(4);
  });

  it("[TURN-010] ends a session with the host, without a second start or end", async () => {
    const { host, seen, say, store } = await watchedHost();
    await say("one");
    await host.flow.receive(message("two", { sessionKey: "agent:main:other" }), {});
    await host.sessions.close("restart", 2000);
    await host.sessions.close("restart", 2000);
    const ends = seen.filter(([name]) => name === "session_end");
    expect(ends).toMatchObject([
      ["session_end", { sessionKey: SESSION, reason: "restart", messageCount: 2 }, {}],
      ["session_end", { sessionKey: "agent:main:other", reason: "restart" }, {}],
    ]);

    const told: string[] = [];
    const next = await createTestHost({
      store,
      register(api) {
        api.on("session_start", () => void told.push("start"));
        api.on("session_end", () => void told.push("end"));
      },
    });
    expect(await next.flow.receive(message("again"), {})).toMatchObject({ status: "replied" });
    expect(next.asked()[0]).toContain("one");
    await next.sessions.close("shutdown", 2000);
    expect(told).toEqual([]);
  });

  it("does not block the stop of the host when a plugin hangs", async () => {
    const host = await createTestHost({
      register: (api) => api.on("session_end", () => new Promise(() => {})),
    });
    await host.flow.receive(message("one"), {});
    await host.sessions.close("shutdown", 5);
    const { sessionId = "" } = (await host.store.sessions.get(SESSION)) ?? {};
    expect(await host.store.sessions.end(sessionId, "unknown")).toBeUndefined();
  });
});
