import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createModelCatalog, type ModelRequest, streamModel } from "@openclaw/models";
import nearai from "@openclaw/nearai";
import { type NearAiServer, startNearAiServer } from "@openclaw/platform-fakes";
import type { AgentMessage, AssistantMessage } from "@openclaw/plugin-sdk/tools";
import { registeredProviders } from "@openclaw/plugin-testkit/model-providers";
import { describe, expect, it, onTestFinished } from "vitest";

const user = (text: string): AgentMessage => ({
  role: "user",
  content: [{ type: "text", text }],
  timestamp: 0,
});

const READ = { name: "read", description: "Reads.", parameters: { type: "object" } };

/** Returns a function that asks the model in a new process: with newly created providers. */
function asking(server: NearAiServer) {
  const stateDir = mkdtempSync(join(tmpdir(), "nearai-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const session = JSON.stringify({ session_token: server.signIn() });
  writeFileSync(join(stateDir, "nearai-session.json"), session);
  return async (
    messages: readonly AgentMessage[],
    system = "Be brief.",
  ): Promise<AssistantMessage> => {
    const providers = await registeredProviders(nearai, { baseURL: server.origin }, stateDir);
    const { model } = await createModelCatalog(providers).resolve("nearai/m");
    const request: ModelRequest = { system, messages, tools: [READ] };
    const content: AssistantMessage["content"] = [];
    let continuation: AssistantMessage["continuation"];
    for await (const event of streamModel(model, request)) {
      if (event.type === "text") content.push({ type: "text", text: event.delta });
      if (event.type === "tool-call" && "params" in event.call) {
        const { toolCallId, toolName, params } = event.call;
        content.push({ type: "toolCall", toolCallId, toolName, params });
      }
      if (event.type === "finish") ({ continuation } = event);
    }
    if (continuation === undefined) throw new Error("the reply has no continuation");
    const reply = { provider: "nearai", model: "m", stopReason: "stop", timestamp: 0 } as const;
    // As the store keeps it.
    return JSON.parse(JSON.stringify({ role: "assistant", content, ...reply, continuation }));
  };
}

const call = { id: "call_1", name: "read", arguments: "{}" };
const result: AgentMessage = {
  role: "toolResult",
  toolCallId: "call_1",
  toolName: "read",
  content: [{ type: "text", text: "contents" }],
  isError: false,
  timestamp: 0,
};

describe("response chain", () => {
  it("[LLM-007] continues after the stored reply, also after a restart, and sends only what is new", async () => {
    await using server = await startNearAiServer([
      { toolCalls: [call] },
      { text: "a" },
      { text: "b" },
    ]);
    const ask = asking(server);
    const history: AgentMessage[] = [user("first")];
    history.push(await ask(history), result);
    history.push(await ask(history), user("second"));
    await ask(history, "Be kind.");
    const [first, second, third] = server.requests.map(({ body }) => body);
    expect(first).not.toHaveProperty("previous_response_id");
    expect(second).toMatchObject({
      previous_response_id: "resp_fake1",
      instructions: "Be brief.",
      input: [{ type: "function_call_output", call_id: "call_1" }],
    });
    expect(third).toMatchObject({ previous_response_id: "resp_fake2", instructions: "Be kind." });
    expect(third?.input).toHaveLength(1);
  });

  it("[LLM-007] begins again when the conversation changed, for another model, and when the server forgot", async () => {
    const replies = [{ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }];
    await using server = await startNearAiServer(replies);
    const ask = asking(server);
    const reply = await ask([user("first")]);
    await ask([user("edited"), reply, user("second")]);
    const forgotten = { ...reply, continuation: { responseId: "resp_gone", digest: "" } };
    await ask([user("first"), forgotten, user("second")]);
    await ask([user("first"), { ...reply, model: "other" }, user("second")]);
    for (const { body } of server.requests) {
      expect(body).not.toHaveProperty("previous_response_id");
    }
    expect(server.requests.at(-1)?.body.input).toHaveLength(3);
  });

  it("[LLM-007] sends the whole conversation once when the server no longer has the response", async () => {
    await using before = await startNearAiServer([{ text: "one" }]);
    const history: AgentMessage[] = [user("first")];
    history.push(await asking(before)(history), user("second"));
    await using after = await startNearAiServer([{ text: "two" }]);
    await asking(after)(history);
    const sent = after.requests.map(({ body }) => body);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toHaveProperty("previous_response_id", "resp_fake1");
    expect(sent[1]).not.toHaveProperty("previous_response_id");
    expect(sent[1]?.input).toHaveLength(3);
  });
});
