import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { ToolInput } from "@openclaw/plugin-sdk/tools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectMcp } from "../../support/mcp-client.js";
import { type McpGateway, startMcpGateway } from "../../support/mcp-gateway.js";

const runs: (ToolInput | undefined)[] = [];
const fieldsOf = (field: string) => ({
  ...{ type: "object" as const, properties: { [field]: { type: "string" } } },
  required: [field],
});

/** A tool that asks for a name, and then for a color. */
const asking: PluginDefinition = {
  id: "asking",
  register(api) {
    api.registerTool({
      ...{ name: "paint", description: "Asks twice." },
      parameters: { type: "object", properties: {} },
      execute(_id, _params, _signal, _onUpdate, input) {
        runs.push(input);
        if (input === undefined) {
          return {
            content: [],
            input: { name: "who", message: "Who are you?", schema: fieldsOf("name") },
          };
        }
        if (input.action !== "accept") return `no input: ${input.action}`;
        const { content, state } = input;
        if (input.name === "color") return `${String(state)} likes ${content.color}`;
        const state2 = content.name ?? null;
        return {
          content: [],
          input: {
            ...{ name: "color", message: "Which color?", schema: fieldsOf("color"), state: state2 },
          },
        };
      },
    });
  },
};

let site: McpGateway;
beforeAll(async () => {
  site = await startMcpGateway({ plugins: [asking] });
});
afterAll(() => site[Symbol.asyncDispose]());

const call = { name: "paint", arguments: {} };
const options = { allowInputRequired: true };
const accept = (content: object) => ({ action: "accept", content });

interface Asked {
  readonly requestState: string;
  readonly inputRequests: Readonly<Record<string, { params: object }>>;
}

describe("a tool that asks the person at an MCP client", () => {
  it.each(["legacy", "modern"] as const)(
    "[EXT-362] receives the input of a client of the %s protocol",
    async (era) => {
      const client = await connectMcp({
        ...{ url: site.url, token: site.token, era, capabilities: { elicitation: {} } },
      });
      const asked: string[] = [];
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params.message);
        return params.message === "Who are you?"
          ? { action: "accept", content: { name: "Ann" } }
          : { action: "accept", content: { color: "red" } };
      });
      const result = await client.callTool(call);
      expect(asked).toEqual(["Who are you?", "Which color?"]);
      expect(result).toMatchObject({ isError: false, content: [{ text: "Ann likes red" }] });
    },
  );

  it("[EXT-362] [EXT-927] waits with its own requests, and takes no state that was changed", async () => {
    const client = await connectMcp({
      ...{ url: site.url, token: site.token, capabilities: { elicitation: {} } },
      isAnswered: false,
    });
    runs.length = 0;
    const first = (await client.callTool(call, options)) as unknown as Asked;
    expect(first.inputRequests).toMatchObject({
      who: { params: { message: "Who are you?", requestedSchema: fieldsOf("name") } },
    });
    // The types of the library have the fields of a first call only.
    const answered = (requestState: string, content: object) => {
      const repeated = { ...call, requestState, inputResponses: { who: accept(content) } };
      return client.callTool(repeated, options);
    };
    await expect(answered(`${first.requestState}-X`, { name: "Ann" })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(answered(first.requestState, { age: 3 })).rejects.toMatchObject({
      ...{ code: -32602, message: expect.stringContaining("cannot be allowed with this input") },
    });
    expect(runs).toEqual([undefined]);
    const second = (await answered(first.requestState, { name: "Ann" })) as unknown as Asked;
    expect(Object.keys(second.inputRequests)).toEqual(["color"]);
    const inputResponses = { color: { action: "decline" } };
    const last = { ...call, requestState: second.requestState, inputResponses };
    expect(await client.callTool(last, options)).toMatchObject({
      content: [{ text: "no input: decline" }],
    });
  });

  it("[EXT-362] is told where no person can answer", async () => {
    const client = await connectMcp({ url: site.url, token: site.token });
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: "no input: cancel" }] });
  });
});
