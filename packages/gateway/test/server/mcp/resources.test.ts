import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { connectMcp } from "../../support/mcp-client.js";
import { type McpGateway, startMcpGateway } from "../../support/mcp-gateway.js";

/** Memory with two documents, in the form of the memory in the slot. */
const memory: PluginDefinition = {
  id: "notes",
  register(api) {
    const object = { type: "object", properties: {} } as const;
    api.registerTool({
      ...{ name: "memory_tree", label: "Tree", description: "Lists.", parameters: object },
      execute: async () => ({
        content: [{ type: "text", text: "listed" }],
        details: {
          path: "",
          entries: [
            { name: "MEMORY.md", path: "MEMORY.md", kind: "document" },
            {
              ...{ name: "trips", path: "trips", kind: "folder" },
              entries: [{ name: "to rome.md", path: "trips/to rome.md", kind: "document" }],
            },
          ],
        },
      }),
    });
    api.registerTool({
      ...{ name: "memory_read", label: "Read", description: "Reads." },
      parameters: { type: "object", properties: { path: { type: "string" } } },
      async execute(_id, params) {
        const { path } = params as { path: string };
        if (!path.endsWith(".md")) throw new Error(`document ${path} not found`);
        return {
          content: [{ type: "text", text: "read" }],
          details: { path, content: `The text of ${path}.` },
        };
      },
    });
    api.registerTool({
      ...{ name: "memory_write", label: "Write", description: "Writes.", parameters: object },
      execute: async () => ({
        content: [{ type: "text", text: "written" }],
        details: { path: "trips/to rome.md", created: false },
      }),
    });
    api.on("before_tool_call", ({ toolName }) => void called.push(toolName));
  },
};

/** Names of the tools that were called, as their hook sees them. */
const called: string[] = [];

let site: McpGateway;
beforeAll(async () => {
  site = await startMcpGateway({
    plugins: [memory],
    script({ prompt }) {
      const last = prompt.at(-1);
      return last?.role === "user" && JSON.stringify(last).includes("write it down")
        ? { toolCalls: [{ toolName: "memory_write" }] }
        : { text: "Good day to you." };
    },
    prepare(folder) {
      const skill = join(folder, "state", "skills", "triage");
      mkdirSync(skill, { recursive: true });
      const head = "---\nname: triage\ndescription: Sorts reports.\n---\n";
      writeFileSync(join(skill, "SKILL.md"), `${head}Sort each report by urgency.\n`);
    },
  });
  await (await site.gateway.methods()).call("chat.send", { sessionKey: "main", text: "hello" });
});
afterAll(() => site[Symbol.asyncDispose]());

const TRANSCRIPT = "openclaw://session/agent%3Amain%3Amain";
const ROME = "openclaw://memory/trips/to%20rome.md";

it.each(["legacy", "modern"] as const)(
  "[EXT-928] a client of the %s protocol lists and reads transcripts and documents, and completes their names",
  async (era) => {
    const client = await connectMcp({ url: site.url, token: site.tokens["operator.read"], era });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "openclaw://memory/MEMORY.md",
      ROME,
      expect.stringContaining("openclaw://session/agent%3Amain%3A"),
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "openclaw://session/{sessionKey}",
      "openclaw://memory/{+path}",
    ]);
    const document = await client.readResource({ uri: ROME });
    expect(document.contents).toEqual([
      { uri: ROME, mimeType: "text/markdown", text: "The text of trips/to rome.md." },
    ]);
    const { contents } = await client.readResource({ uri: TRANSCRIPT });
    expect(contents[0]).toMatchObject({ text: expect.stringMatching(/## user[\s\S]*hello/) });
    for (const uri of ["openclaw://memory/none", "openclaw://session/none", "file:///etc/passwd"]) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        message: expect.stringMatching(/not found|NOT_FOUND|not a session/i),
      });
    }
    const complete = async (uri: string, name: string, value: string) => {
      const ref = { type: "ref/resource", uri } as const;
      return (await client.complete({ ref, argument: { name, value } })).completion.values;
    };
    expect(await complete("openclaw://memory/{+path}", "path", "tri")).toEqual([
      "trips/to rome.md",
    ]);
    expect(await complete("openclaw://session/{sessionKey}", "sessionKey", "agent:")).toEqual([
      "agent:main:main",
    ]);
  },
);

it("[EXT-929] skills are prompts, read on the path of all tool calls", async () => {
  const client = await connectMcp({ url: site.url, token: site.token });
  const { prompts } = await client.listPrompts();
  expect(prompts).toEqual([
    expect.objectContaining({ name: "triage", description: "Sorts reports." }),
  ]);
  const prompt = await client.getPrompt({ name: "triage", arguments: { request: "Sort mine." } });
  expect(called).toContain("skill");
  expect(prompt.messages).toMatchObject([
    { role: "user", content: { text: expect.stringContaining("Sort each report by urgency.") } },
    { role: "user", content: { text: "Sort mine." } },
  ]);
  await expect(client.getPrompt({ name: "none" })).rejects.toMatchObject({ code: -32602 });
  const reader = await connectMcp({ url: site.url, token: site.tokens["operator.read"] });
  expect((await reader.listPrompts()).prompts).toEqual([]);
});

it("[EXT-928] a subscriber is told when a transcript changes, and when sessions are added", async () => {
  const client = await connectMcp({ url: site.url, token: site.tokens["operator.read"] });
  const updated = gate<string>();
  const listed = gate();
  client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
    updated.pass(params.uri),
  );
  client.setNotificationHandler("notifications/resources/list_changed", () => listed.pass());
  await client.listen({ resourcesListChanged: true, resourceSubscriptions: [TRANSCRIPT] });
  const methods = await site.gateway.methods();
  await methods.call("chat.send", { sessionKey: "agent:main:added", text: "hello" });
  await listed.passed;
  await methods.call("chat.send", { sessionKey: "main", text: "again" });
  expect(await updated.passed).toBe(TRANSCRIPT);
});

it("[EXT-928] a subscriber is told when a turn writes a document", async () => {
  const client = await connectMcp({ url: site.url, token: site.tokens["operator.read"] });
  const updated = gate<string>();
  client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
    updated.pass(params.uri),
  );
  await client.listen({ resourceSubscriptions: [ROME] });
  const methods = await site.gateway.methods();
  await methods.call("chat.send", { sessionKey: "main", text: "write it down" });
  expect(await updated.passed).toBe(ROME);
});

it("[EXT-928] transcripts are listed a page at a time", async () => {
  const methods = await site.gateway.methods();
  for (let index = 0; index < 60; index += 1) {
    await methods.call("sessions.create", { sessionKey: `agent:main:page-${index}` });
  }
  const client = await connectMcp({ url: site.url, token: site.tokens["operator.read"] });
  // Without a cursor the library reads every page.
  const { resources } = await client.listResources();
  const uris = resources.map(({ uri }) => uri);
  expect(new Set(uris).size).toBe(uris.length);
  expect(uris.filter((uri) => uri.includes("page-"))).toHaveLength(60);
  expect(uris.filter((uri) => uri === ROME)).toHaveLength(1);
});
