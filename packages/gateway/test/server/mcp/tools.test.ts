import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { audioPart, resourcePart } from "@openclaw/plugin-sdk/tool-results";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectMcp, type McpEra } from "../../support/mcp-client.js";
import { type McpGateway, startMcpGateway } from "../../support/mcp-gateway.js";

/** Callers of the tool, as its hook sees them. */
const seen: unknown[] = [];

const probe: PluginDefinition = {
  id: "probe",
  register(api) {
    api.registerTool({
      name: "probe_echo",
      label: "Echo",
      description: "Returns its text.",
      parameters: {
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
        additionalProperties: false,
      },
      execute: async (_id, params) => ({
        content: [
          { type: "text", text: String((params as { text: string }).text) },
          { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        ],
        details: {},
      }),
    });
    api.registerTool({
      ...{ name: "memory_read", label: "Read", description: "Reads a document." },
      parameters: { type: "object", properties: { path: { type: "string" } } },
      execute: async () => ({ content: [{ type: "text", text: "read" }], details: {} }),
    });
    const parts = {
      voice: () => [audioPart("UklGRg==", "audio/wav", "a bell")],
      page: () => [resourcePart({ uri: "acme://page", mimeType: "text/plain" }, { text: "words" })],
      bytes: () => [resourcePart({ uri: "acme://b", mimeType: "x/y" }, { data: "AAEC" })],
      huge: () => [audioPart("A".repeat(1024 * 1024 + 1), "audio/wav", "an opera")],
      forged: () => [{ type: "text" as const, text: "plain", file: { mimeType: "x/y" } }],
    };
    api.registerTool({
      ...{ name: "probe_parts", label: "Parts", description: "Returns parts." },
      parameters: { type: "object", properties: { kind: { enum: Object.keys(parts) } } },
      execute: (_id, { kind }: { kind: keyof typeof parts }) => ({ content: parts[kind]() }),
    });
    api.registerTool({
      ...{ name: "probe_steps", label: "Steps", description: "Reports its steps." },
      parameters: { type: "object", properties: {} },
      async execute(_id, _params, _signal, onUpdate) {
        onUpdate("step one");
        await told;
        return "done";
      },
    });
    api.on("before_tool_call", ({ params, toolName }, context) => {
      if (toolName === "probe_echo") seen.push(context);
      return params.text === "forbidden" ? { block: true, blockReason: "not today" } : undefined;
    });
  },
};

/** Lets the tool that reports its steps end. */
let tell: () => void = () => undefined;
const told = new Promise<void>((resolve) => {
  tell = resolve;
});

let site: McpGateway;
beforeAll(async () => {
  site = await startMcpGateway({
    plugins: [probe],
    configuration: { tools: { deny: ["exec"] } },
  });
});
afterAll(() => site[Symbol.asyncDispose]());

async function namesFor(token: string, era?: McpEra): Promise<string[]> {
  const client = await connectMcp({ url: site.url, token, era });
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name).sort();
}

describe.each(["legacy", "modern"] as const)("a client of the %s protocol", (era) => {
  it("[EXT-015] [EXT-920] lists and runs the tools that policy allows, on the path of all calls", async () => {
    const client = await connectMcp({ url: site.url, token: site.token, era });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain("probe_echo");
    expect(names).toContain("read");
    expect(names).not.toContain("exec");
    expect(tools.find(({ name }) => name === "probe_echo")).toMatchObject({
      description: "Returns its text.",
      inputSchema: { type: "object", required: ["text"] },
    });

    const result = await client.callTool({ name: "probe_echo", arguments: { text: "hello" } });
    expect(result).toMatchObject({
      isError: false,
      content: [
        { type: "text", text: "hello" },
        { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
      ],
    });
    const blocked = await client.callTool({ name: "probe_echo", arguments: { text: "forbidden" } });
    expect(blocked).toMatchObject({ isError: true });
    expect(JSON.stringify(blocked.content)).toContain("not today");
    const wrong = await client.callTool({ name: "probe_echo", arguments: { text: 7 } });
    expect(wrong).toMatchObject({ isError: true });
    expect(JSON.stringify(wrong.content)).toContain("text");
  });

  it("[EXT-350] receives audio and resources of a result, and the text of a file that is too large", async () => {
    const client = await connectMcp({ url: site.url, token: site.token, era });
    const partOf = async (kind: string) => {
      const { content } = await client.callTool({ name: "probe_parts", arguments: { kind } });
      expect(content).toHaveLength(1);
      return content[0];
    };
    expect(await partOf("voice")).toEqual({
      ...{ type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
    });
    expect(await partOf("page")).toEqual({
      type: "resource",
      resource: { uri: "acme://page", mimeType: "text/plain", text: "words" },
    });
    expect(await partOf("bytes")).toEqual({
      type: "resource",
      resource: { uri: "acme://b", mimeType: "x/y", blob: "AAEC" },
    });
    expect(await partOf("huge")).toEqual({ type: "text", text: "an opera" });
    expect(await partOf("forged")).toEqual({ type: "text", text: "plain" });
  });

  it("[EXT-351] receives the updates of a tool as progress while it runs", async () => {
    const client = await connectMcp({ url: site.url, token: site.token, era });
    const messages: (string | undefined)[] = [];
    const result = await client.callTool(
      { name: "probe_steps", arguments: {} },
      {
        onprogress({ message }) {
          messages.push(message);
          tell();
        },
      },
    );
    expect(result).toMatchObject({ content: [{ type: "text", text: "done" }] });
    expect(messages).toContain("step one");
  });

  it("[EXT-920] rejects a tool that does not exist or that policy denies", async () => {
    const client = await connectMcp({ url: site.url, token: site.token, era });
    for (const name of ["exec", "nothing"]) {
      await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(`tool "${name}" not found`),
      });
    }
  });
});

it("[EXT-920] [EXT-921] offers each token the tools of its scopes, and calls them in its name", async () => {
  const { tokens } = site;
  const reading = await namesFor(tokens["operator.read"]);
  expect(reading).toEqual(["memory_read", "sessions_history", "sessions_list"]);
  expect(await namesFor(tokens["operator.approvals"])).toEqual(
    [...reading, "approvals_decide", "approvals_list"].sort(),
  );
  const writing = await namesFor(tokens["operator.write"]);
  expect(writing).toContain("probe_echo");
  const all = await namesFor(site.token);
  for (const names of [writing, all]) {
    expect(names).not.toContain("approvals_list");
    expect(names).not.toContain("approvals_decide");
  }

  const client = await connectMcp({ url: site.url, token: tokens["operator.write"] });
  seen.length = 0;
  await client.callTool({ name: "probe_echo", arguments: { text: "mine" } });
  expect(seen).toMatchObject([{ senderId: "write", senderIsOwner: false }]);

  const reader = await connectMcp({ url: site.url, token: tokens["operator.read"] });
  await expect(
    reader.callTool({ name: "probe_echo", arguments: { text: "mine" } }),
  ).rejects.toMatchObject({ code: -32602 });
  const listed = await reader.callTool({ name: "sessions_list", arguments: {} });
  expect(listed.structuredContent).toMatchObject({ sessions: expect.any(Array) });
  const wrong = await reader.callTool({ name: "sessions_list", arguments: { limit: "all" } });
  expect(wrong).toMatchObject({ isError: true });
  expect(JSON.stringify(wrong.content)).toContain("/limit");
});
