import type { MemoryFlushPlan } from "@openclaw/plugin-sdk/plugin-entry";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { memoryFlush } from "../../../src/index.js";
import { createTestHost, plugin } from "../../support/host.js";

const MESSAGES: readonly AgentMessage[] = [
  { role: "user", content: [{ type: "text", text: "I moved to Ghent." }], timestamp: 1 },
  {
    ...{ role: "assistant", content: [{ type: "text", text: "Noted." }], timestamp: 2 },
    ...{ provider: "p", model: "m", stopReason: "stop" },
  },
];

/** Flushes two messages of a conversation with the plan of a plugin; returns the turns that it started. */
async function flushed(plan: MemoryFlushPlan | null, hasAgents = true) {
  const turns: object[] = [];
  const planned: unknown[] = [];
  const agents = {
    complete: async () => ({ text: "", model: "m" }),
    runAgent: async (pluginId: string, { signal: _signal, ...turn }: { signal: AbortSignal }) => {
      turns.push({ pluginId, ...turn });
      return { status: "completed" as const, text: "kept" };
    },
  };
  const register = plugin((api) =>
    api.registerMemoryFlushPlan((context) => {
      planned.push(context);
      return plan;
    }),
  );
  const { runtime } = createTestHost([register], {}, { hostServices: hasAgents ? agents : {} });
  const { memory, diagnostics } = await runtime.load();
  await memoryFlush(memory)?.flush({ messages: MESSAGES, agentId: "helper", runId: "run-1" });
  return { turns, planned, diagnostics };
}

describe("flush of messages that leave a conversation", () => {
  it("[PLUG-056] [MEM-055] runs a turn of the agent with the plan and the messages, in a separate session", async () => {
    const { turns, planned, diagnostics } = await flushed({
      softThresholdTokens: 4000,
      prompt: "Keep what should last.",
      systemPrompt: "Write down facts.",
      relativePath: "memory/2026-03-09.md",
      model: "local/small",
    });
    expect(planned).toEqual([{ cfg: expect.any(Object), nowMs: expect.any(Number) }]);
    expect(turns).toEqual([
      {
        pluginId: "guard",
        sessionKey: "agent:helper:memory-flush:run-1",
        model: "local/small",
        prompt: expect.stringMatching(
          /Write down facts\.[\s\S]*user: I moved to Ghent\.\s+assistant: Noted\.[\s\S]*Keep what should last\.[\s\S]*memory\/2026-03-09\.md/,
        ),
      },
    ]);
    expect(diagnostics.filter(({ code }) => code === "accepted-not-used")).toEqual([]);
  });

  it.each<[string, MemoryFlushPlan | null, boolean]>([
    ["the plugin has no plan", null, true],
    ["the host has no agents", { prompt: "Keep." }, false],
  ])("[MEM-055] does nothing when %s", async (_when, plan, hasAgents) => {
    expect((await flushed(plan, hasAgents)).turns).toEqual([]);
  });

  it("fails for a plan without a prompt", async () => {
    await expect(flushed({ prompt: " " })).rejects.toThrow("a plan with a prompt");
  });
});
