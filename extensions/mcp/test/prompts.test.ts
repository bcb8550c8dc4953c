import { startTestServer, type TestServerAnswer } from "@openclaw/platform-fakes";
import { promptArguments } from "@openclaw/plugin-sdk/kit";
import type { TestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { mcpHost, until } from "./support/fixture.js";

const PROMPT = {
  name: "triage",
  description: "Sorts the open issues.",
  arguments: [{ name: "team", required: true }, { name: "note" }],
};

/** Starts a host with a server that has a prompt and a resource. */
async function offeringHost(more: object = {}, options: Parameters<typeof mcpHost>[1] = {}) {
  const server = await startTestServer(({ method, body }): TestServerAnswer => {
    if (method !== "POST") return { status: 405, body: "" };
    const message = body as { id?: number; method: string; params?: Record<string, unknown> };
    if (message.id === undefined) return { status: 202, body: "" };
    const { params = {} } = message;
    const results: Record<string, () => object> = {
      initialize: () => ({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
        serverInfo: { name: "fake", version: "1" },
      }),
      "tools/list": () => ({ tools: [] }),
      "prompts/list": () => ({ prompts: [PROMPT] }),
      "prompts/get": () => ({
        messages: [
          { role: "user", content: { type: "text", text: JSON.stringify(params.arguments) } },
        ],
      }),
      "completion/complete": () => ({ completion: { values: ["red", "blue"] } }),
      "resources/list": () => ({
        resources: [{ uri: "doc://a", name: "A", mimeType: "text/plain" }],
      }),
      "resources/templates/list": () => ({
        resourceTemplates: [{ uriTemplate: "doc://{name}", name: "Any" }],
      }),
      "resources/read": () => ({ contents: [{ uri: params.uri, text: `text of ${params.uri}` }] }),
    };
    const result = results[message.method];
    const answer =
      result === undefined || params.uri === "doc://missing"
        ? { error: { code: -32602, message: "not found" } }
        : { result: result() };
    return { body: JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer }) };
  });
  onTestFinished(() => server.close());
  const allowHosts = [new URL(server.origin).host];
  const config = { ...options.config, tools: { ...options.config?.tools, http: { allowHosts } } };
  const host = await mcpHost(
    { linear: { url: `${server.origin}/mcp`, ...more } },
    { ...options, config, model: () => ({ text: "done" }) },
  );
  await until(async () => (await commands(host)).length > 1);
  return host;
}

async function post(host: TestHost, method: string, params: object): Promise<unknown> {
  const answer = await host.request(`/api/v1/${method}`, {
    ...{ method: "POST", body: JSON.stringify(params) },
  });
  return await answer.json();
}

async function commands(host: TestHost) {
  const { commands: all } = (await post(host, "commands.list", {})) as {
    commands: { name: string; usage?: string; pluginId?: string }[];
  };
  return all.filter(({ pluginId }) => pluginId === "mcp");
}

const prompts = (host: TestHost) => JSON.stringify(host.modelRequests.map(({ prompt }) => prompt));

describe("prompts of a server", () => {
  it("[EXT-862] [PLUG-862] are slash commands whose text goes to the agent", async () => {
    const host = await offeringHost();
    expect(await commands(host)).toMatchObject([
      { name: "linear:triage", usage: "<team> [note]" },
      { name: "mcp" },
    ]);
    await host.runCommand("/linear:triage red now or later");
    expect(prompts(host)).toContain(
      JSON.stringify('{"team":"red","note":"now or later"}').slice(1, -1),
    );
    expect(prompts(host)).not.toContain("/linear:triage");
    const missing = await host.runCommand("/linear:triage");
    expect(missing.text).toBe("/linear:triage needs team. Send /linear:triage <team> [note]");
    expect((await host.runCommand("/mcp")).text).toBe("linear: ready, 0 tools");
    const completion = { name: "linear:triage", args: "r" };
    expect(await post(host, "commands.complete", completion)).toEqual({ values: ["red", "blue"] });
  });

  it.each([
    ["red", { team: "red" }],
    ['"the red team" all of it', { team: "the red team", note: "all of it" }],
    ["note=x red", { note: "x", team: "red" }],
  ])("[EXT-862] read their arguments from %j", (text, values) => {
    const offered = {
      name: "triage",
      arguments: [
        { name: "team", required: true },
        { name: "note", required: false },
      ],
    };
    expect(promptArguments(offered, text)).toEqual({ values });
    expect(promptArguments(offered, "")).toEqual({ missing: "team" });
  });
});

describe("resources of a server", () => {
  it("[EXT-863] are listed and read by two tools on the path of all its tools", async () => {
    const host = await offeringHost();
    const listed = await host.callTool("linear__list_resources");
    expect(listed.text).toBe("doc://a  A; text/plain\ndoc://{name}  Any; template");
    const read = await host.callTool("linear__read_resource", { uri: "doc://a" });
    expect(read.text).toContain("text of doc://a");
    const missing = await host.callTool("linear__read_resource", { uri: "doc://missing" });
    expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining("not found")]);

    const denied = await offeringHost({}, { config: { tools: { deny: ["linear"] } } });
    expect((await denied.callTool("linear__read_resource", { uri: "doc://a" })).isError).toBe(true);
    const without = await offeringHost({ tools: { deny: ["read_resource"] } });
    expect((await without.callTool("linear__read_resource", { uri: "doc://a" })).isError).toBe(
      true,
    );
  });

  it("[EXT-863] [EXT-365] are added to a message of an owner that names them", async () => {
    const host = await offeringHost();
    await host.turn("Compare @linear:doc://a, and @linear:doc://missing. Ask me@linear:x");
    expect(prompts(host)).toContain("text of doc://a");
    expect(prompts(host)).toContain("it could not be read");
    const stranger = await offeringHost();
    await stranger.receive({ text: "@linear:doc://a", senderIsOwner: false });
    expect(prompts(stranger)).toContain("@linear:doc://a");
    expect(prompts(stranger)).not.toContain("text of doc://a");
    const denied = await offeringHost({}, { config: { tools: { deny: ["linear"] } } });
    await denied.turn("Compare @linear:doc://a");
    expect(prompts(denied)).not.toContain("text of doc://a");
  });
});
