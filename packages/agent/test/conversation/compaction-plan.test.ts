import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { keptFrom, planCompaction } from "../../src/conversation/compaction-plan.js";

const limits = { tokens: 1000, threshold: 0.8 };
const user: AgentMessage = { role: "user", content: [], timestamp: 0 };
const says = (...toolCallIds: string[]) => ({
  role: "assistant" as const,
  content: toolCallIds.map((toolCallId) => ({
    type: "toolCall" as const,
    toolCallId,
    toolName: "work",
    params: {},
  })),
  provider: "scripted",
  model: "script",
  stopReason: "stop" as const,
  timestamp: 0,
});
const answers = (toolCallId: string) => ({
  role: "toolResult" as const,
  toolCallId,
  toolName: "work",
  isError: false,
  content: [],
  timestamp: 0,
});

describe("compaction plan", () => {
  it.each([
    [799, undefined],
    [800, { strategy: "truncate", keep: 5 }],
    [850, { strategy: "truncate", keep: 5 }],
    [860, { strategy: "summarise", keep: 5 }],
    [950, { strategy: "summarise", keep: 5 }],
    [951, { strategy: "truncate", keep: 3 }],
  ])("[SUB-037] depends on the fill level of the context: %i of 1000 tokens", (tokens, plan) => {
    expect(planCompaction(tokens, limits, false)).toEqual(plan);
  });

  it("[SUB-037] moves old messages to a memory and keeps ten exchanges from 80 %", () => {
    expect(planCompaction(800, limits, true)).toEqual({ strategy: "archive", keep: 10 });
    expect(planCompaction(860, limits, true)).toEqual({ strategy: "summarise", keep: 5 });
  });

  it("clamps the threshold to between 50 % and 95 %", () => {
    expect(planCompaction(490, { tokens: 1000, threshold: 0.1 }, false)).toBeUndefined();
    expect(planCompaction(500, { tokens: 1000, threshold: 0.1 }, false)).toBeDefined();
    expect(planCompaction(950, { tokens: 1000, threshold: 1 }, false)).toBeDefined();
  });

  it("keeps the newest exchanges from their first message", () => {
    const messages = [user, says(), user, says("1"), answers("1"), says(), user, says()];
    expect(keptFrom(messages, 1)).toBe(6);
    expect(keptFrom(messages, 2)).toBe(2);
    expect(keptFrom(messages, 3)).toBe(0);
    expect(keptFrom([], 3)).toBe(0);
  });

  it("keeps every exchange from the first unanswered call", () => {
    const messages = [user, says(), user, says("1", "2"), answers("2"), user, says(), user];
    expect(keptFrom(messages, 1)).toBe(2);
  });
});
