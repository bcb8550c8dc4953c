import { describe, expect, it } from "vitest";
import { calling, expectAnswered, textOf, tool, turnHost } from "../support/turn-host.js";

const usage = { input: 60, output: 40 };

describe("token budget", () => {
  it.each(["session", "agent"] as const)(
    "[TURN-029] for the %s ends the turn before the next model call, with a notice",
    async (whose) => {
      const host = await turnHost({
        script: [{ text: "looking", usage, ...calling("work") }],
        coreTools: [tool("work")],
        budgets: { [whose]: { maxTokens: 100 } },
      });
      const outcome = await host.run();
      const notice = expect.stringContaining(
        `the token budget of this ${whose} is used up: 100 of 100 tokens`,
      );
      expect(outcome).toMatchObject({
        status: "completed",
        stopReason: "budget",
        text: expect.stringMatching(/^looking\n\nI stopped because/),
      });
      expect(textOf((await host.transcript()).at(-1))).toEqual(notice);
      expect(host.requests).toHaveLength(1);
      await expectAnswered(host);
    },
  );

  it("[TURN-029] prevents model calls of later turns when it is used up", async () => {
    const host = await turnHost({
      script: [{ text: "one", usage }],
      budgets: { session: { maxTokens: 1 } },
    });
    expect(await host.run()).toMatchObject({ text: "one", stopReason: "stop" });
    expect(await host.run()).toMatchObject({
      stopReason: "budget",
      text: expect.stringMatching(/^I stopped because/),
    });
    expect(host.requests).toHaveLength(1);
  });

  it("[TURN-029] for the agent counts all its sessions, and for a session only its own", async () => {
    const budgets = { agent: { maxTokens: 250 }, session: { maxTokens: 150 } };
    const host = await turnHost({ script: () => ({ text: "ok", usage }), budgets });
    const other = await host.store.sessions.open("agent:main:other", { agentId: "main" });
    const { sessionId, sessionKey } = other.session;
    const elsewhere = { sessionId, sessionKey };
    expect(await host.run()).toMatchObject({ stopReason: "stop" });
    expect(await host.run(elsewhere)).toMatchObject({ stopReason: "stop" });
    expect(await host.run()).toMatchObject({ stopReason: "stop" });
    expect(await host.run()).toMatchObject({ text: expect.stringContaining("of this session") });
    expect(await host.run(elsewhere)).toMatchObject({
      text: expect.stringContaining("of this agent"),
    });
    expect(host.requests).toHaveLength(3);
  });

  it("[TURN-029] is unlimited when it is 0 or absent", async () => {
    for (const budgets of [{ agent: { maxTokens: 0 }, session: { maxTokens: 0 } }, { agent: {} }]) {
      const host = await turnHost({ script: () => ({ text: "ok", usage }), budgets });
      await host.run();
      expect(await host.run()).toMatchObject({ stopReason: "stop" });
    }
  });

  it("counts a provider's total before the sum of its parts", async () => {
    const host = await turnHost({ script: [{ text: "ok", usage: { input: 1, output: 2 } }] });
    await host.run();
    expect(await host.store.sessions.tokenTotals.of({ agentId: "main" })).toBe(3);
    expect(await host.store.sessions.tokenTotals.of({ sessionId: host.sessionId })).toBe(3);
  });
});
