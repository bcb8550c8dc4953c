import { startTestServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import plugin from "../src/index.js";
import { messageEvents } from "./message-events.js";

interface Block {
  readonly cache_control?: object;
}

interface Body {
  readonly system: readonly Block[];
  readonly tools: readonly Block[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
}

const usage = { cache_read_input_tokens: 100, cache_creation_input_tokens: 20, input_tokens: 3 };

/** Sends three messages, and returns the requests with the usage of the last reply. */
async function converse(pluginConfig: object = {}) {
  const body = messageEvents("hello", usage);
  const server = await startTestServer({ body, contentType: "text/event-stream" });
  onTestFinished(() => server.close());
  const host = await createTestHost({
    plugin,
    pluginConfig: { apiKey: "k", baseURL: server.origin, ...pluginConfig },
    model: "anthropic/claude-x",
  });
  onTestFinished(() => host.dispose());
  await host.turn("one");
  await host.turn("two");
  const reply = await host.turn("three");
  return { requests: server.requests.map((request) => request.body as Body), reply };
}

/** Returns the places of the breakpoints: `system`, and the indexes of messages. */
function breakpoints({ system, tools, messages }: Body): (string | number)[] {
  const isMarked = (blocks: readonly Block[]) =>
    blocks.at(-1)?.cache_control !== undefined &&
    blocks.filter(({ cache_control }) => cache_control !== undefined).length === 1;
  return [
    ...(isMarked(system) ? ["system"] : []),
    ...(tools.some(({ cache_control }) => cache_control) ? ["tools"] : []),
    ...messages.flatMap(({ content }, index) => (isMarked(content) ? [index] : [])),
  ];
}

it("[LLM-061] marks the system prompt, the messages before the last two of the user, and the end", async () => {
  const { requests, reply } = await converse();
  expect(requests.map(breakpoints)).toEqual([
    ["system", 0],
    ["system", 1, 2],
    ["system", 1, 3, 4],
  ]);
  expect(requests[2]?.system.at(-1)?.cache_control).toEqual({ type: "ephemeral" });
  expect(reply.outcome).toMatchObject({
    usage: { input: 123, cacheRead: 100, cacheWrite: 20 },
  });
});

it("[LLM-061] leaves the breakpoints out when promptCaching is false", async () => {
  const { requests } = await converse({ promptCaching: false });
  expect(requests.map(breakpoints)).toEqual([[], [], []]);
});
