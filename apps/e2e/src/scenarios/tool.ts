import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { expect } from "vitest";
import { type HookScenario, inHost } from "./scenario.js";

const number = { type: "number" } as const;
const [toolName, toolCallId, params] = ["halve", "call-9", { value: 8 }];
const halver = definePluginEntry({
  id: "halver",
  register(api) {
    api.registerTool({
      name: toolName,
      description: "Halves an even number.",
      parameters: {
        type: "object",
        properties: { value: number },
        required: ["value"],
        additionalProperties: false,
      },
      execute(_id, { value }) {
        if (Number(value) % 2 === 1) throw new Error("the number is odd");
        return `${Number(value) / 2}`;
      },
    });
  },
});

const halve = (value: number) =>
  inHost(
    {
      neighbours: [halver],
      model: [{ toolCalls: [{ toolName, params: { value }, toolCallId }] }, { text: "Done." }],
    },
    (host) => host.turn("halve it"),
  );
const context = {
  callDepth: 0,
  agentId: "main",
  sessionKey: "agent:main:main",
  sessionId: expect.any(String),
  runId: expect.any(String),
  trigger: "user",
  channel: "terminal",
  messageProvider: "terminal",
  channelId: "terminal",
  senderId: "operator",
  senderIsOwner: true,
  workspaceDir: expect.any(String),
  modelProviderId: "scripted",
  modelId: "model",
  toolName,
  toolCallId,
};
const call = { toolName, toolCallId, runId: expect.any(String) };

/** The hooks around a tool call. */
export const toolScenarios = {
  before_tool_call: { play: halve(8), event: { ...call, params, toolKind: "plugin" }, context },
  after_tool_call: {
    play: halve(8),
    event: {
      ...call,
      params,
      outcome: "ok",
      result: { content: [{ type: "text", text: "4" }] },
      durationMs: expect.any(Number),
    },
    context,
  },
  tool_error: {
    play: halve(7),
    event: {
      ...call,
      params: { value: 7 },
      error: {
        code: "TOOL_THREW",
        message: expect.stringContaining("the number is odd"),
        kind: "threw",
      },
      durationMs: expect.any(Number),
    },
    context,
  },
  tool_result_persist: {
    play: halve(8),
    event: {
      toolName,
      toolCallId,
      message: { role: "toolResult", toolCallId, content: [{ type: "text", text: "4" }] },
      isSynthetic: false,
    },
    context,
  },
} satisfies Record<string, HookScenario>;
