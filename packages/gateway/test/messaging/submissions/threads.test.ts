import { describe, expect, it } from "vitest";
import { createTestHost, gate, message, openTestStore, SESSION } from "../../support/host.js";

const CONTINUED =
  'Continued the conversation "one", which was completed. /thread new starts another one.';

describe("conversations of a session", () => {
  it("[SUB-024] [SUB-025] have states that the API names", async () => {
    const running = gate();
    const release = gate();
    const asked = gate();
    const host = await createTestHost({
      script: async ({ prompt, abortSignal }) => {
        const last = JSON.stringify(prompt.at(-1));
        if (last.includes("slow")) {
          running.pass();
          await Promise.race([
            release.passed,
            new Promise((_, reject) => {
              const abort = () => reject(abortSignal?.reason);
              abortSignal?.addEventListener("abort", abort, { once: true });
            }),
          ]);
        }
        return last.includes("launch") && prompt.at(-1)?.role === "user"
          ? { toolCalls: [{ toolName: "launch", params: {} }] }
          : { text: "ok" };
      },
      register: (api) =>
        api.registerTool({
          name: "launch",
          description: "launches",
          parameters: { type: "object", properties: {} },
          approval: "unless-granted",
          execute: () => "launched",
        }),
    });
    const states = async () => {
      const { threads } = await host.administration.threads(SESSION);
      return threads.map(({ state }) => state);
    };
    const say = (text: string) =>
      host.flow.receive(message(text), { onApproval: () => asked.pass() });
    await say("one");
    expect(await states()).toEqual(["Idle"]);
    const slow = say("slow");
    await running.passed;
    expect(await states()).toEqual(["Processing"]);
    await say("/interrupt");
    await slow;
    expect(await states()).toEqual(["Interrupted"]);
    release.pass();
    await say("next");
    expect(await states()).toEqual(["Idle"]);
    const waiting = say("launch");
    await asked.passed;
    expect(await states()).toEqual(["AwaitingApproval"]);
    await say("/deny");
    await waiting;
    await say("/new");
    await say("two");
    expect(await states()).toEqual(["Idle", "Completed"]);
  });

  it("[SUB-022] are found by their session key until a command or expiry changes them", async () => {
    let now = 1_700_000_000_000;
    const host = await createTestHost({
      now: () => now,
      store: await openTestStore(() => now),
      configuration: { session: { reset: { idleMinutes: 10 } } },
    });
    const say = (text: string, sessionKey = SESSION) =>
      host.flow.receive(message(text, { sessionKey }), {});
    const current = async (key = SESSION) => (await host.store.sessions.get(key))?.sessionId ?? "";
    await Promise.all(["one", "two", "three"].map((text) => say(text)));
    const first = await current();
    expect(await host.store.messages.transcript.count(first)).toBe(6);
    await say("other", "agent:main:other");
    expect(await current("agent:main:other")).not.toBe(first);
    await say("four");
    expect(await current()).toBe(first);
    await say("/new");
    const second = await current();
    expect(second).not.toBe(first);
    await say("five");
    await say(`/thread ${first}`);
    const third = await current();
    expect([first, second]).not.toContain(third);
    now += 11 * 60_000;
    await say("six");
    expect([first, second, third]).not.toContain(await current());
  });

  it("[SUB-023] cancel the approval request of the conversation that /thread leaves", async () => {
    const asked = gate();
    let launches = 0;
    const host = await createTestHost({
      script: ({ prompt }) =>
        JSON.stringify(prompt.at(-1)).includes("launch") && prompt.at(-1)?.role === "user"
          ? { toolCalls: [{ toolName: "launch", params: {} }] }
          : { text: "ok" },
      register: (api) =>
        api.registerTool({
          name: "launch",
          description: "launches",
          parameters: { type: "object", properties: {} },
          approval: "unless-granted",
          execute: () => {
            launches += 1;
            return "launched";
          },
        }),
    });
    const say = (text: string) =>
      host.flow.receive(message(text), { onApproval: () => asked.pass() });
    await say("one");
    const first = (await host.store.sessions.get(SESSION))?.sessionId ?? "";
    await say("/new");
    const waiting = say("launch");
    await asked.passed;
    const [pending] = await host.store.decisions.approvals.list({ state: "pending" });
    expect(pending).toMatchObject({ sessionKey: SESSION });
    expect(await say(`/thread ${first}`)).toMatchObject({
      text: CONTINUED,
    });
    await waiting;
    expect(await host.store.decisions.approvals.list({ state: "pending" })).toEqual([]);
    expect(await host.store.decisions.approvals.get(pending?.id ?? "")).toMatchObject({
      state: "cancelled",
    });
    // Permission that comes late starts nothing.
    await say("/approve");
    expect(launches).toBe(0);
  });

  it("[SUB-026] are completed when another one begins, and say how to start a new one when they continue", async () => {
    const host = await createTestHost({});
    const say = async (text: string) => {
      const outcome = await host.flow.receive(message(text), {});
      return "text" in outcome ? outcome.text : outcome.status;
    };
    await say("one");
    const first = (await host.store.sessions.get(SESSION))?.sessionId ?? "";
    await say("/thread new");
    await say("two");
    for (const word of ["/thread", "/resume"]) {
      expect(await say(`${word} ${first}`)).toBe(CONTINUED);
      await say("/thread new");
    }
  });

  it("[SUB-027] are loaded from the store after a restart, with their checkpoints", async () => {
    const store = await openTestStore();
    const before = await createTestHost({ store });
    for (const text of ["one", "two"]) await before.flow.receive(message(text), {});
    const first = (await store.sessions.get(SESSION))?.sessionId ?? "";
    await before.flow.receive(message("/new"), {});
    await before.flow.close();
    const after = await createTestHost({ store });
    const say = async (text: string) => {
      const outcome = await after.flow.receive(message(text), {});
      return "text" in outcome ? outcome.text : outcome.status;
    };
    expect(await say(`/thread ${first}`)).toBe(CONTINUED);
    expect(await say("three")).toBe("ok");
    const [asked = ""] = after.asked();
    for (const text of ["one", "two", "three"]) expect(asked).toContain(text);
    expect(await say("/undo")).toContain("three");
    expect(await say("/undo")).toContain("two");
  });

  it("[SUB-028] have the message of a turn before it starts, and keep it when the turn fails", async () => {
    const store = await openTestStore();
    const before: unknown[] = [];
    const host = await createTestHost({
      store,
      script: async () => {
        const { sessionId: of = "" } = (await store.sessions.get(SESSION)) ?? {};
        const [entry] = await store.messages.transcript.load(of);
        const turn = await store.turns.last(of);
        before.push(entry?.message.content, turn?.state);
        throw new Error("the model is down");
      },
    });
    const outcome = await host.flow.receive(message("one"), {});
    expect(outcome).toMatchObject({ status: "failed" });
    expect(before).toEqual([[{ type: "text", text: "one" }], "running"]);
    const { sessionId = "" } = (await host.store.sessions.get(SESSION)) ?? {};
    const entries = await host.store.messages.transcript.load(sessionId);
    expect(entries.map(({ message: { role } }) => role)).toContain("user");
    const undone = await host.flow.receive(message("/undo"), {});
    expect(undone).toMatchObject({ text: expect.stringContaining('Undone: "one"') });
  });

  it("[SUB-048] forget their undo history at /reset", async () => {
    const host = await createTestHost();
    const say = async (text: string) => {
      const outcome = await host.flow.receive(message(text), {});
      return "text" in outcome ? outcome.text : outcome.status;
    };
    for (const text of ["one", "two", "/undo", "/reset"]) await say(text);
    expect(await say("/undo")).toBe("Nothing to undo.");
    expect(await say("/redo")).toBe("Nothing to redo.");
  });
});
