import { expect } from "vitest";
import { type HookScenario, inHost } from "./hook-scenario.js";

const sessionKey = "agent:main:main";
const context = { callDepth: 0, agentId: "main", sessionKey, sessionId: expect.any(String) };
/** A conversation, one more after it, and the end of the host. */
const twoConversations = inHost({ model: [{ text: "Noon." }] }, async (host) => {
  await host.turn("the time?");
  await host.turn("/reset");
});

/** The hooks of a session's start and end. */
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
} satisfies Record<string, HookScenario>;
