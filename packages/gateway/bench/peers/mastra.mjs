// A turn of Mastra: an agent with a memory in LibSQL that sends the last messages of the thread to a model that
// answers at once.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ANSWER, measure, QUESTION } from "./measure.mjs";

const [folder, modules] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { Agent } = await load("@mastra/core/agent");
const { Memory } = await load("@mastra/memory");
const { LibSQLStore } = await load("@mastra/libsql");

const usage = { inputTokens: 12, outputTokens: 6, totalTokens: 18 };
const model = {
  specificationVersion: "v2",
  provider: "instant",
  modelId: "model",
  supportedUrls: {},
  doGenerate: async () => ({
    content: [{ type: "text", text: ANSWER }],
    finishReason: "stop",
    usage,
    warnings: [],
  }),
  doStream: async () => ({
    stream: ReadableStream.from([
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "text" },
      { type: "text-delta", id: "text", delta: ANSWER },
      { type: "text-end", id: "text" },
      { type: "finish", finishReason: "stop", usage },
    ]),
  }),
};
const storage = new LibSQLStore({ id: "bench", url: `file:${join(folder, "mastra.db")}` });
const agent = new Agent({
  id: "bench",
  name: "bench",
  instructions: "You answer.",
  model,
  memory: new Memory({ storage, options: { lastMessages: 200, semanticRecall: false } }),
});

await measure(async (session) => {
  const { text } = await agent.generate(QUESTION, {
    memory: { thread: session, resource: "bench" },
  });
  return text;
});
