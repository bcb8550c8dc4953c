import { expect } from "vitest";
import { type HookScenario, inHost } from "./scenario.js";

const session = {
  callDepth: 0,
  agentId: "main",
  sessionKey: "agent:main:main",
  sessionId: expect.any(String),
};
/** Context fields of every step of the operator's turn. */
const turn = {
  ...session,
  runId: expect.any(String),
  trigger: "user",
  messageProvider: "terminal",
  channelId: "terminal",
  messageId: expect.any(String),
  senderId: "operator",
  senderIsOwner: true,
  workspaceDir: expect.any(String),
};
const [modelProviderId, modelId] = ["scripted", "model"];
/** Context fields of the steps after the model is resolved. */
const modelled = { ...turn, modelProviderId, modelId };
const usage = { input: 5, output: 3 };
const answer = inHost({ model: [{ text: "Noon.", usage }] }, (host) => host.turn("the time?"));
const failure = inHost({ model: [{ error: { status: 500, message: "overloaded" } }] }, (host) =>
  host.turn("the time?"),
);
const call = {
  runId: expect.any(String),
  callId: expect.any(String),
  provider: modelProviderId,
  model: modelId,
};

/** The hooks of an agent's turn. */
export const turnScenarios = {
  before_model_resolve: { play: answer, event: { prompt: "the time?" }, context: turn },
  before_agent_start: {
    play: answer,
    event: { prompt: "the time?", messages: [], runId: expect.any(String) },
    context: turn,
  },
  agent_turn_prepare: {
    play: answer,
    event: { prompt: "the time?", messages: [], queuedInjections: [] },
    context: modelled,
  },
  before_prompt_build: {
    play: answer,
    event: { prompt: "the time?", messages: [], currentUserMessage: "the time?" },
    context: modelled,
  },
  before_agent_run: {
    play: answer,
    event: { prompt: "the time?", messages: [], systemPrompt: expect.any(String) },
    context: modelled,
  },
  before_agent_reply: {
    play: answer,
    event: { cleanedBody: "the time?", trigger: "user" },
    context: modelled,
  },
  llm_input: {
    play: answer,
    event: {
      runId: expect.any(String),
      sessionId: expect.any(String),
      provider: modelProviderId,
      model: modelId,
      systemPrompt: expect.any(String),
      prompt: "the time?",
      historyMessages: [],
      imagesCount: 0,
      tools: expect.arrayContaining([{ name: "read", description: expect.any(String) }]),
    },
    context: modelled,
  },
  model_call_started: { play: answer, event: call, context: modelled },
  model_call_ended: {
    play: answer,
    event: { ...call, durationMs: expect.any(Number), outcome: "completed" },
    context: modelled,
  },
  llm_output: {
    play: answer,
    event: {
      runId: expect.any(String),
      sessionId: expect.any(String),
      provider: modelProviderId,
      model: modelId,
      assistantTexts: ["Noon."],
      lastAssistant: { role: "assistant", content: [{ type: "text", text: "Noon." }] },
      usage,
    },
    context: modelled,
  },
  before_agent_finalize: {
    play: answer,
    event: {
      sessionId: expect.any(String),
      runId: expect.any(String),
      sessionKey: session.sessionKey,
      provider: modelProviderId,
      model: modelId,
      cwd: expect.any(String),
      stopHookActive: false,
      attempt: 1,
      lastAssistantMessage: "Noon.",
      messages: [{ role: "user" }, { role: "assistant" }],
    },
    context: modelled,
  },
  transform_response: {
    play: answer,
    event: { content: "Noon.", runId: expect.any(String), channel: "terminal" },
    context: modelled,
  },
  agent_error: {
    play: failure,
    event: {
      runId: expect.any(String),
      error: {
        code: expect.any(String),
        message: expect.stringContaining("overloaded"),
        stage: "model",
      },
      retryable: true,
      durationMs: expect.any(Number),
    },
    context: modelled,
  },
  agent_end: {
    play: answer,
    event: {
      runId: expect.any(String),
      messages: [{ role: "user" }, { role: "assistant" }],
      success: true,
      durationMs: expect.any(Number),
      usage,
    },
    context: modelled,
  },
  before_message_write: {
    play: answer,
    times: 2,
    event: {
      message: { role: "user", content: [{ type: "text", text: "the time?" }] },
      sessionKey: session.sessionKey,
      agentId: "main",
    },
    context: session,
  },
} satisfies Record<string, HookScenario>;
