import type { HookName } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import { calling, plugin, tool, turnHost } from "../support/turn-host.js";

const HOOKS = [
  "before_model_resolve",
  "before_agent_start",
  "before_prompt_build",
  "before_agent_run",
  "before_agent_reply",
  "llm_input",
  "model_call_started",
  "model_call_ended",
  "llm_output",
  "before_tool_call",
  "after_tool_call",
  "tool_result_persist",
  "transform_response",
  "agent_end",
] as const satisfies HookName[];

const FIELDS = [
  ...["callDepth", "agentId", "sessionKey", "sessionId", "runId", "trigger", "workspaceDir"],
  ...["messageProvider", "channelId", "messageId", "senderId", "senderIsOwner"],
  ...["accountId", "threadId", "modelProviderId", "modelId"],
  ...["toolName", "toolCallId", "channel"],
];

interface Seen {
  readonly hookName: string;
  readonly fields: Record<string, unknown>;
}

async function contextsOfATurn(changes: { accountId?: string; threadId?: string } = {}) {
  const seen: Seen[] = [];
  const host = await turnHost({
    script: [calling("greet"), { text: "done" }],
    coreTools: [tool("greet")],
    plugins: [
      plugin("reader", (api) => {
        api.registerHook([...HOOKS, "before_message_write"], (_event, context) => {
          const fields = FIELDS.map((field) => [field, Reflect.get(context, field)]);
          seen.push({ hookName: context.hookName, fields: Object.fromEntries(fields) });
        });
      }),
    ],
  });
  const origin = { ...host.request().origin, ...changes };
  await host.run({ runId: "run-7", trigger: "api", origin });
  const ofTheSession = seen.filter(({ hookName }) => hookName === "before_message_write");
  const ofTheTurn = seen.filter((each) => !ofTheSession.includes(each));
  return { seen: ofTheTurn, ofTheSession, sessionId: host.sessionId };
}

describe("context of turn hooks", () => {
  it("includes sender, place and run", async () => {
    const { seen, sessionId } = await contextsOfATurn();
    expect(new Set(seen.map(({ hookName }) => hookName))).toEqual(new Set(HOOKS));
    for (const { fields } of seen) {
      expect(fields).toMatchObject({
        agentId: "main",
        sessionKey: "agent:main:main",
        sessionId,
        runId: "run-7",
        trigger: "api",
        workspaceDir: "/workspace",
        callDepth: 0,
        messageProvider: "terminal",
        channelId: "terminal:me",
        messageId: "message-1",
        senderId: "me",
        senderIsOwner: true,
        accountId: undefined,
        threadId: undefined,
      });
    }
  });

  it("includes account and thread when the message has them", async () => {
    const { seen } = await contextsOfATurn({ accountId: "work", threadId: "12" });
    for (const { fields } of seen)
      expect(fields).toMatchObject({ accountId: "work", threadId: "12" });
  });

  it("includes the model from the step that resolves it", async () => {
    const { seen } = await contextsOfATurn();
    const before = ["before_model_resolve", "before_agent_start"];
    for (const { hookName, fields } of seen) {
      const model = { modelProviderId: "scripted", modelId: "script" };
      const none = { modelProviderId: undefined, modelId: undefined };
      expect(fields, hookName).toMatchObject(before.includes(hookName) ? none : model);
    }
  });

  it("includes the tool call in the hooks around it", async () => {
    const { seen } = await contextsOfATurn();
    const around = ["before_tool_call", "after_tool_call", "tool_result_persist"];
    const calls = seen.filter(({ hookName }) => around.includes(hookName));
    expect(calls).toHaveLength(3);
    for (const { fields } of calls) {
      expect(fields).toMatchObject({
        toolName: "greet",
        toolCallId: "call-1",
        channel: "terminal",
      });
    }
  });

  it("includes only the session when a message is written outside a turn", async () => {
    const { ofTheSession, sessionId } = await contextsOfATurn();
    expect(ofTheSession).toHaveLength(4);
    for (const { fields } of ofTheSession) {
      expect(fields).toMatchObject({ agentId: "main", sessionKey: "agent:main:main", sessionId });
      expect(fields).toMatchObject({ runId: undefined, senderId: undefined, toolName: undefined });
    }
  });
});
