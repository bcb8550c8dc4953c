// A turn of OpenClaw in process, without HTTP on the way in, with durability `process`.
import { join } from "node:path";
import { openStore } from "@openclaw/store";
import { openHost, openStateFolder } from "../../dist/index.js";
import { ANSWER, measure, QUESTION } from "./measure.mjs";

const [folder] = process.argv.slice(2);
const PARTS = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "text" },
  { type: "text-delta", id: "text", delta: ANSWER },
  { type: "text-end", id: "text" },
  {
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 12 }, outputTokens: { total: 6 } },
  },
];
const logger = { debug() {}, info() {}, warn: console.error, error: console.error };
const state = openStateFolder(join(folder, "state"));
const host = await openHost({
  version: "0.0.0",
  configuration: { value: {}, file: undefined, warnings: [], locate: () => undefined },
  workspaceDir: state.workspaceDir,
  bundledExtensions: [],
  providers: [
    {
      id: "instant",
      defaultModel: "model",
      paid: false,
      setup: "nothing",
      credential: { source: "the benchmark" },
      languageModel: () => ({
        specificationVersion: "v4",
        provider: "instant",
        modelId: "model",
        supportedUrls: {},
        doStream: async () => ({ stream: ReadableStream.from(PARTS) }),
        doGenerate: () => Promise.reject(new Error("the host streams")),
      }),
    },
  ],
  model: "instant/model",
  environment: {},
  state,
  store: await openStore({ file: join(folder, "store.db"), durability: "process" }),
  log: { logger: () => logger, close: async () => {} },
});

await measure(async (session) => {
  const { text } = await host.receive({
    channel: "bench",
    accountId: "default",
    conversationId: session,
    senderId: "me",
    senderIsOwner: true,
    text: QUESTION,
    sessionKey: `agent:main:${session}`,
    agentId: "main",
  });
  return text;
});
