import { createSessionMethods } from "@openclaw/messaging";
import { describe, expect, it } from "vitest";
import { createRunMethods } from "../../src/methods/runs.js";
import { createTestHost, gate, message, SESSION } from "../support/host.js";

/** Creates a host with a tool that counts its runs, and a model that calls it twice before it answers. */
async function createForkHost() {
  const sent: unknown[] = [];
  const waiting = gate();
  const host = await createTestHost({
    async script({ prompt }) {
      const results = prompt.filter(({ role }) => role === "tool").length;
      if (JSON.stringify(prompt).includes("wait")) await waiting.passed;
      return results < 2
        ? { toolCalls: [{ toolName: "send", params: { number: results + 1 } }] }
        : { text: `sent ${results}` };
    },
    register(api) {
      api.registerTool({
        name: "send",
        description: "Sends something.",
        parameters: { type: "object", properties: { number: { type: "number" } } },
        execute: (_id: string, params: unknown) => {
          sent.push(params);
          return "sent";
        },
      });
    },
  });
  const methods = createRunMethods({
    ...{ store: host.store, traces: host.traces, forks: host.forks },
    now: Date.now,
  });
  const sessions = createSessionMethods({
    ...{ administration: host.administration, forks: host.forks.conversations },
    agents: { agentIds: ["main"], defaultAgent: "main" },
  });
  const send = async (text: string, sessionKey = SESSION) => {
    const outcome = await host.flow.receive(message(text, { sessionKey }), {});
    if (!("runId" in outcome) || outcome.runId === undefined) throw new Error(outcome.status);
    return outcome.runId;
  };
  const transcript = async (sessionKey: string) => {
    const session = await host.store.sessions.get(sessionKey);
    const entries = await host.store.messages.transcript.load(session?.sessionId ?? "");
    return entries.map(({ message: { role, content } }) => {
      const [part] = content;
      return `${role}: ${part?.type === "text" ? part.text : part?.type}`;
    });
  };
  return { host, methods, sessions, sent, send, waiting, transcript };
}

const STEPS = [
  "user: go",
  "assistant: toolCall",
  "toolResult: sent",
  "assistant: toolCall",
  "toolResult: sent",
  "assistant: sent 2",
];

describe("run.fork", () => {
  it("[TURN-502] executes no recorded call again, and says what is recorded and what is repeated", async () => {
    const { host, methods, sent, send, transcript } = await createForkHost();
    await send("hello", SESSION);
    sent.length = 0;
    const runId = await send("go");
    expect(sent).toEqual([]);
    const other = await send("go", "agent:main:other");
    expect(sent).toEqual([{ number: 1 }, { number: 2 }]);

    const preview = await methods.call("run.fork", { runId: other, isPreview: true });
    expect(preview.points).toHaveLength(3);
    expect(preview.recorded.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "message user",
      `model ${host.model}`,
      "tool send",
      `model ${host.model}`,
      "tool send",
    ]);
    expect(preview.repeated.map(({ kind }) => kind)).toEqual(["model"]);
    expect(preview.started).toBeUndefined();
    expect(await host.store.sessions.count({})).toBe(2);

    // From the second model call on, the recorded first call stays, and the second one is made again.
    const fromStep = preview.points[1] ?? 0;
    const { started } = await methods.call("run.fork", { runId: other, fromStep });
    const { sessionKey = "", runId: forked = "" } = started ?? {};
    await expect.poll(async () => (await host.store.turns.get(forked))?.state).toBe("completed");
    expect(sent).toEqual([{ number: 1 }, { number: 2 }, { number: 2 }]);
    expect(await transcript(sessionKey)).toEqual(STEPS);
    expect(await transcript("agent:main:other")).toEqual(STEPS);
    const usedKeys = (await host.store.turns.journal.load(forked)).map(({ step }) => step.kind);
    expect(usedKeys.filter((kind) => kind === "tool-intended")).toHaveLength(2);
    expect(runId).not.toBe(forked);
  });

  it("[TURN-502] takes over the conversation before the run, and the last call by default", async () => {
    const { host, methods, sent, send, transcript } = await createForkHost();
    await send("hello");
    sent.length = 0;
    const runId = await send("again");
    const { started, repeated } = await methods.call("run.fork", { runId });
    expect(repeated).toHaveLength(1);
    await expect
      .poll(async () => (await host.store.turns.get(started?.runId ?? ""))?.state)
      .toBe("completed");
    expect(sent).toEqual([]);
    expect(await transcript(started?.sessionKey ?? "")).toEqual(await transcript(SESSION));
    expect(await host.store.sessions.get(started?.sessionKey ?? "")).toMatchObject({
      label: "again",
    });
    // The fork is a conversation of its own.
    await send("and now", started?.sessionKey);
    expect(await transcript(SESSION)).toHaveLength(8);
  });

  it("[TURN-502] gives a fork no more rights than the run had", async () => {
    const { host, methods } = await createForkHost();
    const outcome = await host.flow.receive(
      message("go", { sessionKey: SESSION, senderId: "guest", senderIsOwner: false }),
      {},
    );
    if (!("runId" in outcome)) throw new Error(outcome.status);
    const { started } = await methods.call("run.fork", { runId: outcome.runId ?? "" });
    const turn = await host.store.turns.get(started?.runId ?? "");
    const row = await host.store.messages.inbox.get(turn?.inboxId ?? "");
    expect(row?.metadata.senderIsOwner).toBe(false);
    await expect
      .poll(async () => (await host.store.turns.get(started?.runId ?? ""))?.state)
      .toBe("completed");
  });

  it("rejects a run that has not ended, a step that is not a model call, and a model that does not exist", async () => {
    const { methods, send, waiting, host } = await createForkHost();
    const runId = await send("go");
    const forked = (parameters: { fromStep?: number; model?: string }) =>
      methods.call("run.fork", { runId, ...parameters });
    await expect(forked({ fromStep: 2000 })).rejects.toMatchObject({ code: "RUN_NOT_FORKABLE" });
    await expect(forked({ model: "none/at-all" })).rejects.toMatchObject({
      code: "MODEL_NOT_FOUND",
    });
    const slow = send("wait", "agent:main:slow");
    await expect
      .poll(async () => (await host.store.turns.unfinished()).map(({ state }) => state))
      .toEqual(["running"]);
    const [running] = await host.store.turns.unfinished();
    await expect(methods.call("run.fork", { runId: running?.runId ?? "" })).rejects.toThrow(
      /it has not ended; wait for its end/,
    );
    waiting.pass();
    await slow;
  });
});

describe("sessions.fork", () => {
  it("[TURN-503] copies a conversation up to a message, with the results of its calls, and runs nothing", async () => {
    const { sessions, sent, send, transcript, host } = await createForkHost();
    await send("go");
    sent.length = 0;
    const whole = await sessions.call("sessions.fork", { sessionKey: SESSION, through: 100 });
    expect(await transcript(whole.sessionKey)).toEqual(STEPS);
    // The result of the call is copied with it.
    const part = await sessions.call("sessions.fork", { sessionKey: "main", through: 2 });
    expect(part.messages).toBe(3);
    expect(await transcript(part.sessionKey)).toEqual(STEPS.slice(0, 3));
    const none = await sessions.call("sessions.fork", { sessionKey: SESSION, through: 0 });
    expect(await transcript(none.sessionKey)).toEqual([]);
    expect(sent).toEqual([]);
    expect(await transcript(SESSION)).toEqual(STEPS);
    await send("go on", part.sessionKey);
    expect((await transcript(part.sessionKey)).slice(0, 4)).toEqual([
      ...STEPS.slice(0, 3),
      "user: go on",
    ]);
    await host.store.sessions.open("agent:main:subagent:one", { agentId: "main" });
    await expect(
      sessions.call("sessions.fork", { sessionKey: "agent:main:subagent:one", through: 1 }),
    ).rejects.toMatchObject({ code: "SESSION_KEY_REFUSED" });
    await expect(
      sessions.call("sessions.fork", { sessionKey: "agent:main:none", through: 1 }),
    ).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  });
});
