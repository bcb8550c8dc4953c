import { expect } from "vitest";
import { noteMemory } from "../note-memory.js";
import { type HookScenario, inHost } from "./scenario.js";

const results = [{ id: "note-1", text: "Ada likes tea.", score: 1, source: "notes" }];

const play = inHost(
  {
    neighbours: [noteMemory().plugin],
    config: { plugins: { slots: { memory: "notes" } } },
    model: [{ text: "Tea." }],
  },
  (host) => host.turn("what does Ada like?"),
);
const context = {
  callDepth: 0,
  agentId: "main",
  sessionKey: "agent:main:main",
  sessionId: expect.any(String),
  runId: expect.any(String),
  modelProviderId: "scripted",
  modelId: "model",
};

/** The hooks around a search of the memory. */
export const recallScenarios = {
  before_recall: {
    play,
    event: { query: "what does Ada like?", limit: 10, source: "auto" },
    context,
  },
  after_recall: {
    play,
    event: {
      query: "what does Ada like?",
      results,
      source: "auto",
      durationMs: expect.any(Number),
    },
    context,
  },
} satisfies Record<string, HookScenario>;
