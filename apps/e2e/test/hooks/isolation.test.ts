import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import type { AgentMessage, DeepReadonly } from "@openclaw/plugin-sdk/tools";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it } from "vitest";

it("[HCR-022] gives each handler its own params, and shares frozen messages and results", async () => {
  const seen: unknown[] = [];
  const messages = new Set<DeepReadonly<AgentMessage>>();
  const results = new Set<unknown>();
  const frozen: boolean[] = [];
  const signals = new Set<unknown>();
  const meddler = definePluginEntry({
    id: "meddler",
    register(api) {
      for (const name of ["first", "second"]) {
        api.on("before_tool_call", ({ params }) => {
          seen.push([name, { ...params }]);
          Reflect.set(params, "text", `changed by ${name}`);
        });
        api.on("before_prompt_build", (event) => {
          for (const message of event.messages) messages.add(message);
          frozen.push(event.messages.every(Object.isFrozen));
        });
        api.on("after_tool_call", ({ result }, { signal }) => {
          results.add(result);
          signals.add(signal);
          frozen.push(Object.isFrozen(result));
        });
      }
      api.registerTool({
        name: "say",
        description: "Says a text.",
        parameters: {
          type: "object",
          properties: { text: { type: "string" } },
          required: ["text"],
          additionalProperties: false,
        },
        execute: (_id, { text }) => String(text),
      });
    },
  });
  await using host = await createTestHost({
    plugin: meddler,
    model: [
      { toolCalls: [{ toolName: "say", params: { text: "as asked" } }] },
      { text: "Said." },
      { text: "Good." },
    ],
  });
  const { events } = await host.turn("say it");
  await host.turn("thank you");
  expect(seen).toEqual([
    ["first", { text: "as asked" }],
    ["second", { text: "as asked" }],
  ]);
  expect(events.find(({ type }) => type === "tool-finished")).toMatchObject({
    preview: "as asked",
  });
  // Two handlers in two turns, both after the same call.
  expect(frozen).toEqual(Array(6).fill(true));
  // Two handlers received the same four objects and the same result; each has a separate signal.
  expect([messages.size, results.size, signals.size]).toEqual([4, 1, 2]);
});
