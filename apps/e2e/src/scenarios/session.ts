import { expect } from "vitest";
import { type HookScenario, inHost } from "./scenario.js";

const sessionKey = "agent:main:main";
const context = { callDepth: 0, agentId: "main", sessionKey, sessionId: expect.any(String) };
/** A conversation, one more after it, and the end of the host. */
const twoConversations = inHost({ model: [{ text: "Noon." }] }, async (host) => {
  await host.turn("the time?");
  await host.turn("/reset");
});

/** Five long messages; before the fifth the conversation is as good as full, and three exchanges stay. */
const longConversation = inHost(
  { model: () => ({ text: "Noted." }), config: { agents: { defaults: { contextTokens: 1000 } } } },
  async (host) => {
    for (let turn = 0; turn < 5; turn += 1) await host.turn("word ".repeat(180));
  },
);
const running = { ...context, runId: expect.any(String), modelId: "model", trigger: "user" };

/** The hooks of a session: its start and end, and what happens to its conversation. */
export const sessionScenarios = {
  session_start: {
    play: twoConversations,
    times: 2,
    event: { sessionId: expect.any(String), sessionKey, reason: "new" },
    context,
  },
  before_reset: {
    play: twoConversations,
    event: { reason: "command", messages: [{ role: "user" }, { role: "assistant" }] },
    context,
  },
  session_end: {
    play: twoConversations,
    times: 2,
    event: {
      sessionId: expect.any(String),
      sessionKey,
      messageCount: 2,
      durationMs: expect.any(Number),
      reason: "reset",
      nextSessionId: expect.any(String),
      nextSessionKey: sessionKey,
    },
    context,
  },
  before_compaction: {
    play: longConversation,
    event: {
      messageCount: 8,
      compactingCount: 2,
      tokenCount: expect.toSatisfy((tokens: number) => tokens > 950),
      messages: expect.toSatisfy((messages: readonly unknown[]) => messages.length === 8),
    },
    context: running,
  },
  after_compaction: {
    play: longConversation,
    event: {
      messageCount: 6,
      compactedCount: 2,
      tokenCount: expect.toSatisfy((tokens: number) => tokens < 950),
    },
    context: running,
  },
} satisfies Record<string, HookScenario>;
