import {
  createDemoProvider,
  createModelCatalog,
  type ModelTool,
  streamModel,
} from "@openclaw/models";
import { startChatServer } from "@openclaw/platform-fakes";
import { Compile } from "typebox/schema";
import { expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";
import recorded from "./recorded-calls.json" with { type: "json" };

/** Returns the definitions of tools that a model of a new installation gets. */
async function definitionsSent(): Promise<readonly ModelTool[]> {
  using fresh = emptyPlace();
  await using server = await startChatServer([{ text: "Hello." }]);
  const environment = { LLM_BASE_URL: server.baseURL, LLM_MODEL: "small" };
  await openclaw(["chat", "-m", "hello"], { ...fresh, environment });
  const { tools } = (server.requests[0]?.body ?? {}) as { tools: { function: ModelTool }[] };
  return tools.map((tool) => tool.function);
}

it("[LLM-900] recorded conversations make the same calls with the short definitions, which describe each of them", async () => {
  const tools = await definitionsSent();
  const { model } = await createModelCatalog([createDemoProvider()]).resolve("demo/echo");
  for (const { said, calls } of recorded) {
    const messages = [
      { role: "user" as const, content: [{ type: "text" as const, text: said }], timestamp: 0 },
    ];
    const made: unknown[] = [];
    for await (const event of streamModel(model, { messages, tools })) {
      if (event.type !== "tool-call" || !("params" in event.call)) continue;
      made.push({ tool: event.call.toolName, params: event.call.params });
    }
    expect(made, said).toEqual(calls);
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
  const called = new Set(recorded.flatMap(({ calls }) => calls.map(({ tool }) => tool)));
  expect(tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
});
