import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { temporaryFolder, writePlugin } from "@openclaw/foundation/testing";
import { createScriptedModel, type ModelScript } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { expect, it, onTestFinished } from "vitest";
import { openHost } from "../../src/host/host.js";
import { stateFolderAt } from "../../src/state/folder.js";
import { openLog } from "../../src/state/log.js";
import { message, openTestStore } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

/** A memory on a server, as plugins for the original host are written: plain JavaScript, and every part of the slot. */
const SHELF = `
  const { url } = api.pluginConfig;
  const post = async (path, body) => {
    const answer = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error("shelf answered " + answer.status);
    return await answer.json();
  };
  api.registerMemoryCapability({
    promptBuilder: ({ availableTools }) =>
      availableTools.has("shelf_store") ? ["Notes are on a shelf.", "Keep new ones with shelf_store."] : [],
    runtime: {
      async getMemorySearchManager({ cfg, agentId }) {
        if (cfg === undefined) return { manager: null, error: "no configuration" };
        return {
          manager: {
            status: () => ({ backend: "shelf" }),
            async search(query, { maxResults, sessionKey }) {
              const { found } = await post("/find", { query, maxResults, agentId, sessionKey });
              return found.map((snippet, index) => ({
                path: "shelf/" + index + ".md", startLine: 1, endLine: 1, score: 0.9, snippet, source: "memory",
              }));
            },
          },
        };
      },
      resolveMemoryBackendConfig: () => ({ backend: "builtin" }),
    },
  });
  api.registerMemoryFlushPlan(() => ({
    prompt: "Keep what should last with shelf_store.",
    systemPrompt: "You keep notes.",
  }));
  api.registerMemoryEmbeddingProvider({
    id: "shelf",
    defaultModel: "words",
    transport: "remote",
    create: async ({ model }) => ({
      provider: {
        id: "shelf",
        model,
        embedQuery: async (text) => (await post("/embed", { texts: [text] })).vectors[0],
        embedBatch: async (texts) => (await post("/embed", { texts })).vectors,
      },
    }),
  });
  api.registerTool({
    name: "shelf_store",
    description: "Keeps a note.",
    parameters: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
    execute: async (_id, { note }) => {
      await post("/keep", { note });
      return { content: [{ type: "text", text: "Kept." }] };
    },
  });
  api.on("agent_end", async ({ success, messages }) => {
    if (success) await post("/observe", { count: messages.length });
  });
`;

/** A server that keeps notes, and embeds texts as their lengths. */
async function shelfServer() {
  const notes = ["Ada drinks green tea."];
  const requests: { readonly path: string; readonly body: Record<string, unknown> }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let text = "";
    for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
    const { url: path = "" } = incoming;
    const body = JSON.parse(text);
    requests.push({ path, body });
    if (path === "/keep") notes.push(body.note);
    const vectors = (body.texts ?? []).map((each: string) => [each.length, 1, 0]);
    outgoing.end(JSON.stringify({ found: notes, vectors }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `http://127.0.0.1:${address.port}`, requests };
}

/** Opens a host whose memory is the shelf, until the end of the test. */
async function shelfHost(script: ModelScript) {
  const { url, requests } = await shelfServer();
  const folder = temporaryFolder("shelf");
  onTestFinished(() => folder[Symbol.dispose]());
  writePlugin(join(folder.path, "shelf"), {
    manifest: { id: "shelf", kind: "memory" },
    register: SHELF,
  });
  let api: OpenClawPluginApi | undefined;
  const host = await openHost({
    version: "1.0.0",
    configuration: {
      value: {
        agents: { defaults: { model: "scripted/script" } },
        plugins: {
          load: { paths: [join(folder.path, "shelf")] },
          slots: { memory: "shelf" },
          entries: { shelf: { config: { url }, hooks: { allowConversationAccess: true } } },
        },
      },
      file: undefined,
      warnings: [],
      locate: () => undefined,
    },
    workspaceDir: folder.path,
    bundledExtensions: [],
    inlinePlugins: [
      {
        id: "driver",
        register(given) {
          api = given;
        },
      },
    ],
    providers: [scriptedProvider(createScriptedModel(script))],
    environment: {},
    state: stateFolderAt(join(folder.path, "state")),
    log: openLog(undefined, { level: "silent" }),
    store: await openTestStore(),
  });
  await host.serve(0);
  onTestFinished(() => host.close("command"));
  return { host, api, requests };
}

it("[PLUG-056] [MEM-052] [MEM-053] [MEM-054] a memory for the original host takes the slot: it is recalled, described, captured into, and embeds", async () => {
  const prompts: string[] = [];
  const { api, requests } = await shelfHost(({ prompt }) => {
    prompts.push(JSON.stringify(prompt));
    return prompts.length === 1
      ? { toolCalls: [{ toolName: "shelf_store", params: { note: "Ada visits Ghent." } }] }
      : { text: "Green tea." };
  });

  const ask = (prompt: string) =>
    api?.runtime.agent.runEmbeddedPiAgent?.({ prompt, sessionId: "call" });
  expect(await ask("What does Ada drink?")).toMatchObject({ payloads: [{ text: "Green tea." }] });
  const [first = "", second = ""] = prompts;
  expect(first).toContain("Notes are on a shelf.\\nKeep new ones with shelf_store.");
  expect(first).toContain("Ada drinks green tea.");
  expect(second).toContain("Kept.");
  await ask("Where does Ada go?");
  expect(prompts.at(-1)).toContain("Ada visits Ghent.");
  const finds = requests.filter(({ path }) => path === "/find").map(({ body }) => body);
  expect(finds).toMatchObject([
    { query: "What does Ada drink?", maxResults: 10, agentId: "main" },
    { query: "Where does Ada go?", sessionKey: finds[0]?.sessionKey },
  ]);
  await expect.poll(() => requests.filter(({ path }) => path === "/observe").length).toBe(2);

  const { embeddings } = api?.runtime ?? {};
  expect(await embeddings?.model("shelf")).toEqual({ model: "shelf/words", isLocal: false });
  const answer = await embeddings?.embed({ texts: ["tea", "coffee"], model: "shelf" });
  expect(answer).toMatchObject({ model: "shelf/words", dimensions: 3 });
  expect(answer?.embeddings).toEqual([
    { vector: Float32Array.of(3, 1, 0) },
    { vector: Float32Array.of(6, 1, 0) },
  ]);
});

it("[MEM-055] a compaction in a host runs the planned turn with the messages that leave, whose tools keep them", async () => {
  const flushes: string[] = [];
  const { host, requests } = await shelfHost(({ prompt }) => {
    const text = JSON.stringify(prompt);
    if (!text.includes("Keep what should last with shelf_store.")) return { text: "noted" };
    flushes.push(text);
    return flushes.length === 1
      ? { toolCalls: [{ toolName: "shelf_store", params: { note: "Ada moves to Ghent." } }] }
      : { text: "Kept." };
  });
  for (const text of ["Ada moves to Ghent.", "2", "3", "4", "5", "6"]) {
    expect(await host.receive(message(text))).toMatchObject({ text: "noted" });
  }
  expect(flushes).toEqual([]);
  const compacted = await host.receive(message("/compact"));
  expect(compacted).toMatchObject({ text: expect.stringContaining("Compacted 12 messages") });
  const kept = () => requests.filter(({ path }) => path === "/keep").map(({ body }) => body);
  await expect.poll(kept).toEqual([{ note: "Ada moves to Ghent." }]);
  await expect.poll(() => flushes.length).toBe(2);
  expect(flushes[0]).toContain("You keep notes.");
  expect(flushes[0]).toContain(
    "<conversation>\\nuser: Ada moves to Ghent.\\n\\nassistant: noted\\n</conversation>",
  );
  // The planned turn has a separate session.
  expect(await host.receive(message("7"))).toMatchObject({ text: "noted" });
});
