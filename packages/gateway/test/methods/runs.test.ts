import { describe, expect, it } from "vitest";
import { createRunMethods } from "../../src/methods/runs.js";
import { createTestHost, gate, message, SESSION } from "../support/host.js";

/** Creates a host whose model fails for "break", waits for "wait", and answers anything else. */
async function createRunHost() {
  const waiting = gate();
  let passed = 0;
  const host = await createTestHost({
    async script({ prompt }) {
      const text = JSON.stringify(prompt.at(-1));
      if (text.includes("break")) throw new Error("the wire is cut");
      if (text.includes("wait")) await waiting.passed;
      return { text: "ok", usage: { input: 3, output: 2 } };
    },
  });
  const methods = createRunMethods({
    ...{ store: host.store, traces: host.traces, forks: host.forks },
    now: () => Date.now() + passed,
  });
  return {
    host,
    methods,
    waiting,
    send: (text: string, sessionKey = SESSION) =>
      host.flow.receive(message(text, { sessionKey }), {}),
    /** Moves the clock. */
    pass: (ms: number) => {
      passed += ms;
    },
  };
}

describe("runs.list", () => {
  it("[GW-341] [GW-531] lists runs that have not ended with their newest steps, and pages through the others", async () => {
    const { methods, waiting, send } = await createRunHost();
    await send("one");
    await send("two");
    const sent = send("wait for me", "agent:main:slow");
    await expect
      .poll(async () => (await methods.call("runs.list", {})).runs)
      .toEqual([
        expect.objectContaining({
          ...{ sessionKey: "agent:main:slow", state: "running", text: "wait for me" },
          ...{ channel: "terminal", agentId: "main", trigger: "user", modelCalls: 1, toolCalls: 0 },
          ...{ costUsd: "0", startedAt: expect.any(Number) },
          step: expect.objectContaining({ kind: "model-requested", name: "scripted/script" }),
          recentSteps: expect.arrayContaining([
            { kind: "model-requested", at: expect.any(Number) },
          ]),
        }),
      ]);
    waiting.pass();
    await sent;
    expect((await methods.call("runs.list", {})).runs).toEqual([]);
    const seen: (string | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const page = await methods.call("runs.list", {
        ...{ states: ["completed"], limit: 1 },
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...page.runs.map(({ text }) => text));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(["wait for me", "two", "one"]);
    const of = await methods.call("runs.list", { states: ["completed"], sessionKey: SESSION });
    expect(of.runs.map(({ text }) => text)).toEqual(["two", "one"]);
    await expect(methods.call("runs.list", { cursor: "no" })).rejects.toMatchObject({
      ...{ code: "INVALID_REQUEST", issues: [{ path: "/cursor" }] },
    });
  });
});

describe("runs.failures", () => {
  it("[GW-342] groups the failures of a day by their cause, with the newest run of each", async () => {
    const { methods, send, pass } = await createRunHost();
    await send("break it");
    await send("break it again", "agent:main:other");
    await send("fine");
    const { causes, isPartial } = await methods.call("runs.failures", {});
    expect(isPartial).toBe(false);
    expect(causes).toEqual([
      expect.objectContaining({
        ...{ state: "failed", count: 2, message: expect.stringContaining("the wire is cut") },
        last: expect.objectContaining({ sessionKey: "agent:main:other", text: "break it again" }),
      }),
    ]);
    pass(24 * 60 * 60 * 1000);
    expect((await methods.call("runs.failures", {})).causes).toEqual([]);
  });
});
