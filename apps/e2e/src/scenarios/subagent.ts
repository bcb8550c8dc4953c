import { expect } from "vitest";
import { type HookScenario, inHost } from "./scenario.js";

const requesterSessionKey = "agent:main:main";
const childSessionKey = expect.stringMatching(/^agent:main:subagent:[0-9a-f-]{36}$/);

/** A turn that starts a subagent, and the next turn, which receives the subagent's result. */
const oneChild = inHost(
  {
    model: ({ prompt }) => {
      const last = prompt.at(-1);
      if (last?.role === "tool" || !JSON.stringify(last).includes("delegate")) {
        return { text: "Done." };
      }
      const params = { task: "count the files", label: "counter" };
      return { toolCalls: [{ toolName: "sessions_spawn", params, toolCallId: "call-9" }] };
    },
  },
  async (host) => {
    await host.turn("delegate it");
    await host.turn("and?");
  },
);

const spawn = {
  childSessionKey,
  agentId: "main",
  label: "counter",
  mode: "run",
  requester: { channel: "terminal", to: "terminal" },
  threadRequested: false,
};
const asking = {
  callDepth: 0,
  agentId: "main",
  sessionKey: requesterSessionKey,
  childSessionKey,
  requesterSessionKey,
};
const ending = {
  callDepth: 1,
  agentId: "main",
  sessionKey: childSessionKey,
  sessionId: expect.any(String),
  runId: expect.any(String),
  trigger: "subagent",
  childSessionKey,
  requesterSessionKey,
};

/** Scenarios for the hooks of subagents. */
export const subagentScenarios = {
  subagent_spawning: { play: oneChild, event: spawn, context: asking },
  subagent_spawned: {
    play: oneChild,
    event: { ...spawn, runId: expect.any(String), resolvedModel: "scripted/model" },
    context: asking,
  },
  subagent_delivery_target: {
    play: oneChild,
    event: {
      childSessionKey,
      requesterSessionKey,
      requesterOrigin: { channel: "terminal", to: "terminal" },
      childRunId: expect.any(String),
      spawnMode: "run",
      expectsCompletionMessage: true,
    },
    context: ending,
  },
  subagent_ended: {
    play: oneChild,
    event: {
      targetSessionKey: childSessionKey,
      targetKind: "subagent",
      reason: "completed",
      outcome: "ok",
      runId: expect.any(String),
      endedAt: expect.any(Number),
    },
    context: ending,
  },
} satisfies Record<string, HookScenario>;
