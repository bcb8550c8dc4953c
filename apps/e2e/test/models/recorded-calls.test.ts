import {
  createDemoProvider,
  createModelCatalog,
  type ModelTool,
  streamModel,
} from "@openclaw/models";
import { startChatServer } from "@openclaw/platform-fakes";
import type { AgentMessage, JsonValue } from "@openclaw/plugin-sdk/tools";
import { Compile } from "typebox/schema";
import { expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";
import recorded from "./recorded-calls.json" with { type: "json" };

const SEARCH = "tool_search";

/**
 * Returns the definitions of tools that a model of a new installation gets with a greeting, and those that it has when it has
 * loaded all listed ones.
 */
async function definitionsSent(): Promise<Record<"greeting" | "loaded", readonly ModelTool[]>> {
  using fresh = emptyPlace();
  const query = { query: DEFERRED.join(" "), limit: 20 };
  const search = { id: "call_1", name: SEARCH, arguments: JSON.stringify(query) };
  await using server = await startChatServer([{ toolCalls: [search] }, { text: "Hello." }]);
  const environment = {
    ...{ LLM_BASE_URL: server.baseURL, LLM_MODEL: "small", LLM_API_KEY: "test-key" },
  };
  await openclaw(["chat", "-m", "hello"], { ...fresh, environment });
  const [greeting = [], loaded = []] = server.requests.map(({ body }) => {
    const { tools } = body as { tools: { function: ModelTool }[] };
    return tools.map((tool) => tool.function);
  });
  return { greeting, loaded };
}

/** The tools that a greeting lists by name and one line. */
const DEFERRED = [
  ...["create_job", "list_jobs", "job_status", "cancel_job"],
  ...["routine_create", "routine_list", "routine_update", "routine_delete", "routine_history"],
  ...["cron", "gateway"],
  ...["tool_list", "tool_activate", "tool_install", "tool_auth", "tool_remove"],
  ...["memory_connect", "memory_profile", "memory_spaces"],
];

it("[LLM-900] [TURN-210] recorded conversations make the same calls with the short definitions, which describe each of them", async () => {
  const { greeting, loaded } = await definitionsSent();
  const sent = new Set(greeting.map(({ name }) => name));
  expect(loaded.map(({ name }) => name).filter((name) => !sent.has(name))).toEqual(
    expect.arrayContaining(DEFERRED),
  );
  // What a greeting sends stays equal, so that a prompt cache has it.
  expect(loaded.slice(0, greeting.length)).toEqual(greeting);
  expect(loaded).toHaveLength(greeting.length + DEFERRED.length);
  const { model } = await createModelCatalog([createDemoProvider()]).resolve("demo/echo");

  /** Returns the calls of the model's next reply. */
  async function callsIn(messages: readonly AgentMessage[], tools: readonly ModelTool[]) {
    const made: { readonly tool: string; readonly params: JsonValue }[] = [];
    for await (const event of streamModel(model, { messages, tools })) {
      if (event.type !== "tool-call" || !("params" in event.call)) continue;
      made.push({ tool: event.call.toolName, params: event.call.params });
    }
    return made;
  }

  for (const { said, calls } of recorded) {
    const asked: AgentMessage = {
      ...{ role: "user", content: [{ type: "text", text: said }], timestamp: 0 },
    };
    const isDeferred = calls.some(({ tool }) => DEFERRED.includes(tool));
    if (isDeferred) {
      const query = { query: calls[0]?.tool };
      expect(await callsIn([asked], greeting), said).toEqual([{ tool: SEARCH, params: query }]);
    }
    const messages = isDeferred ? [asked, ...searched(calls[0]?.tool ?? "")] : [asked];
    const tools = isDeferred ? loaded : greeting;
    expect(await callsIn(messages, tools), said).toEqual(calls);
    for (const { tool, params } of calls) {
      const parameters = tools.find(({ name }) => name === tool)?.parameters ?? {};
      expect(Compile(parameters).Check(params), `${said} calls ${tool}`).toBe(true);
      // Each parameter that was used is one that the model is told of.
      const described = Object.keys(Object(parameters.properties));
      expect(described, tool).toEqual(expect.arrayContaining(Object.keys(params)));
    }
  }
  expect(recorded.length).toBeGreaterThanOrEqual(30);
  // Every tool of a new installation is called at least once.
  const called = new Set([
    SEARCH,
    ...recorded.flatMap(({ calls }) => calls.map(({ tool }) => tool)),
  ]);
  expect(loaded.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
});

/** Returns the messages of a search that loaded a tool. */
function searched(tool: string): readonly AgentMessage[] {
  const part = { type: "toolCall", toolCallId: "c1", toolName: SEARCH, params: { query: tool } };
  return [
    {
      ...{ role: "assistant", content: [{ ...part, type: "toolCall" }], timestamp: 0 },
      ...{ provider: "demo", model: "echo", stopReason: "tool-calls" },
    },
    {
      ...{ role: "toolResult", toolCallId: "c1", toolName: SEARCH, isError: false, timestamp: 0 },
      content: [{ type: "text", text: "Loaded; they can be called now." }],
    },
  ];
}
