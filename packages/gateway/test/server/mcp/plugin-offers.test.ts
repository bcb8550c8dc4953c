import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { resourcePart } from "@openclaw/plugin-sdk/tool-results";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectMcp } from "../../support/mcp-client.js";
import { type McpGateway, startMcpGateway } from "../../support/mcp-gateway.js";

const KEY = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
const PAGE = { uri: "acme://page", mimeType: "text/plain" };

const WORD = {
  type: "object",
  properties: { word: { type: "string", minLength: 2 } },
  required: ["word"],
} as const;

function offering(id: string, scheme: string): PluginDefinition {
  return {
    id,
    register(api) {
      api.registerPrompt({
        ...{ name: "review", description: `Reviews for ${id}.` },
        arguments: [
          { name: "file", required: true, complete: (value) => [`${value}.ts`] },
          { name: "tone", complete: (_value, { file = "" }) => [`as ${file}`] },
        ],
        render: ({ file = "" }) => [
          { role: "user", content: resourcePart(PAGE, { text: `content of ${file}` }) },
          { role: "user", content: { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } },
        ],
      });
      api.registerPrompt({
        ...{ name: "keys", description: "Reads its settings." },
        render: () => `Use the key ${KEY} for\u200b the deployment.`,
      });
      api.registerPrompt({
        ...{ name: "ask", description: "Asks for two words." },
        render: (_values, inputs) => {
          const missing = ["first", "second"].find((each) => inputs[each] === undefined);
          return missing === undefined
            ? JSON.stringify(inputs)
            : { input: { name: missing, message: `The ${missing}?`, schema: WORD } };
        },
      });
      api.registerResource({
        uri: `${scheme}://logo`,
        name: "Logo",
        read: () => ({ data: "AAEC" }),
      });
      api.registerResource({
        uri: `${scheme}://long`,
        name: "Long",
        read: () => "x".repeat(150_000),
      });
      api.registerResource({
        ...{ uri: `${scheme}://notes/{id}`, name: "note", mimeType: "text/markdown" },
        list: () => [{ uri: `${scheme}://notes/1`, name: "Note 1" }],
        complete: (variable, value) => [`${variable}-${value}`],
        read: ({ variables: { id: note } }) => (note === "1" ? "Call Ann." : undefined),
      });
    },
  };
}

let site: McpGateway;
beforeAll(async () => {
  site = await startMcpGateway({
    plugins: [offering("acme", "acme"), offering("other", "other"), offering("hidden", "hidden")],
    configuration: { tools: { deny: ["hidden__read_resource"] } },
  });
});
afterAll(() => site[Symbol.asyncDispose]());

describe.each(["legacy", "modern"] as const)("a client of the %s protocol", (era) => {
  it("[EXT-353] [PLUG-350] lists, completes and gets the prompts of plugins", async () => {
    const client = await connectMcp({ url: site.url, token: site.token, era });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name).filter((name) => name.includes("review"))).toEqual([
      ...["acme:review", "other:review", "hidden:review"],
    ]);
    expect(prompts).toContainEqual({
      ...{ name: "acme:review", description: "Reviews for acme." },
      arguments: [
        { name: "file", required: true },
        { name: "tone", required: false },
      ],
    });
    const ref = { type: "ref/prompt", name: "acme:review" } as const;
    const file = await client.complete({ ref, argument: { name: "file", value: "a" } });
    expect(file.completion.values).toEqual(["a.ts"]);
    const tone = await client.complete({
      ...{ ref, argument: { name: "tone", value: "" } },
      context: { arguments: { file: "b" } },
    });
    expect(tone.completion.values).toEqual(["as b"]);
    const got = await client.getPrompt({ name: "acme:review", arguments: { file: "a.ts" } });
    expect(got).toMatchObject({
      description: "Reviews for acme.",
      messages: [
        {
          role: "user",
          content: { type: "resource", resource: { ...PAGE, text: "content of a.ts" } },
        },
        { role: "user", content: { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } },
      ],
    });
    await expect(client.getPrompt({ name: "acme:review" })).rejects.toMatchObject({
      ...{ code: -32602, message: expect.stringContaining('needs the argument "file"') },
    });
  });

  it("[EXT-506] asks the person at the client for the input of a prompt, one request after the other", async () => {
    const client = await connectMcp({
      ...{ url: site.url, token: site.token, era },
      capabilities: { elicitation: { form: {} } },
    });
    const asked: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      if (params.message === "The second?") return { action: "decline" };
      return { action: "accept", content: { word: "yes" } };
    });
    const { messages } = await client.getPrompt({ name: "acme:ask" });
    expect(asked).toEqual(["The first?", "The second?"]);
    const inputs = {
      first: { name: "first", action: "accept", content: { word: "yes" } },
      second: { name: "second", action: "decline" },
    };
    expect(messages).toMatchObject([{ content: { text: JSON.stringify(inputs) } }]);
    const without = await connectMcp({ url: site.url, token: site.token, era });
    const { messages: unanswered } = await without.getPrompt({ name: "acme:ask" });
    expect(unanswered).toMatchObject([
      { content: { text: expect.stringMatching(/cancel.*cancel/) } },
    ]);
  });

  it("[EXT-353] [PLUG-351] lists, completes and reads the resources of plugins that policy allows", async () => {
    const client = await connectMcp({ url: site.url, token: site.token, era });
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining(["acme://logo", "acme://notes/1", "other://logo"]));
    expect(uris.filter((uri) => uri.startsWith("hidden:"))).toEqual([]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toContainEqual({
      ...{ uriTemplate: "acme://notes/{id}", name: "note", mimeType: "text/markdown" },
    });
    expect((await client.readResource({ uri: "acme://notes/1" })).contents).toEqual([
      { uri: "acme://notes/1", mimeType: "text/markdown", text: "Call Ann." },
    ]);
    expect((await client.readResource({ uri: "acme://logo" })).contents).toEqual([
      { uri: "acme://logo", mimeType: "text/plain", blob: "AAEC" },
    ]);
    const [long] = (await client.readResource({ uri: "acme://long" })).contents;
    expect(long).toMatchObject({
      text: expect.stringContaining("[Output truncated: 150000 bytes"),
    });
    for (const uri of ["acme://notes/2", "acme://none", "hidden://logo"]) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        message: expect.stringMatching(/not found|not allowed/),
      });
    }
    const ref = { type: "ref/resource", uri: "acme://notes/{id}" } as const;
    const completed = await client.complete({ ref, argument: { name: "id", value: "1" } });
    expect(completed.completion.values).toEqual(["id-1"]);
  });
});

it("[EXT-506] an answer that does not fit, and a changed state, are rejected", async () => {
  const client = await connectMcp({
    ...{ url: site.url, token: site.token, isAnswered: false },
    capabilities: { elicitation: { form: {} } },
  });
  const answered = (word: string, requestState?: string) => {
    const inputResponses = { first: { action: "accept", content: { word } } };
    const state = requestState === undefined ? {} : { requestState };
    const parameters = { name: "acme:ask", inputResponses, ...state };
    return client.getPrompt(parameters, { allowInputRequired: true });
  };
  expect(await answered("yes")).toMatchObject({ inputRequests: { second: {} } });
  await expect(answered("x")).rejects.toMatchObject({
    ...{ code: -32602, message: expect.stringContaining('the input "first" does not fit') },
  });
  const changed = Buffer.from('{"answers":7}').toString("base64url");
  await expect(answered("yes", changed)).rejects.toMatchObject({
    ...{ code: -32602, message: expect.stringContaining("not one that this server sent") },
  });
});

it("[EXT-366] a prompt has no secret and no invisible character", async () => {
  const client = await connectMcp({ url: site.url, token: site.token });
  const { messages } = await client.getPrompt({ name: "acme:keys" });
  expect(messages).toMatchObject([
    {
      content: { text: expect.stringMatching(/^Use the key \S*REDACTED\S* for the deployment\.$/) },
    },
  ]);
});

it("[EXT-353] a token that may only read has neither", async () => {
  const client = await connectMcp({ url: site.url, token: site.tokens["operator.read"] });
  expect((await client.listPrompts()).prompts).toEqual([]);
  const { resources } = await client.listResources();
  expect(resources.filter(({ uri }) => !uri.startsWith("openclaw:"))).toEqual([]);
  await expect(client.readResource({ uri: "acme://logo" })).rejects.toThrow("not found");
});
