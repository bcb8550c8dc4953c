// Measures what a model call costs in addition to the provider package: for each streamed chunk, for each call, and
// for the choice among 20 models.
import { cpuUsage } from "node:process";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { chainSettings, ModelChain, ModelHealth } from "../dist/index.js";

const ROUNDS = 9;
const CHUNKS = 20_000;
const CALLS = 400;
const CHOICES = 2000;
const CANDIDATES = 20;

/** A model of the real provider package, whose server streams this many chunks of text. */
function modelWith(chunks) {
  const line = (delta, finish = null) =>
    `data: ${JSON.stringify({
      id: "chat",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, finish_reason: finish }],
    })}\n\n`;
  const encoder = new TextEncoder();
  const part = encoder.encode(line({ content: "a word and more " }));
  const end = encoder.encode(`${line({}, "stop")}data: [DONE]\n\n`);
  const respond = async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent <= chunks) return controller.enqueue(part);
        controller.enqueue(end);
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const provider = createOpenAICompatible({
    name: "bench",
    baseURL: "http://bench/v1",
    fetch: respond,
  });
  return provider.chatModel("m");
}

const prompt = [{ role: "user", content: [{ type: "text", text: "hello" }] }];
const request = {
  messages: [{ role: "user", content: [{ type: "text", text: "hello" }], timestamp: 0 }],
  tools: [],
};

async function direct(model) {
  const { stream } = await model.doStream({ prompt });
  let characters = 0;
  for await (const part of stream) if (part.type === "text-delta") characters += part.delta.length;
  return characters;
}

const chain = new ModelChain({ health: new ModelHealth() });

async function throughChain(model) {
  const resolved = { ref: "bench/m", provider: "bench", modelId: "m", model, paid: false };
  const candidate = { ...resolved, priority: 0, resolve: async () => resolved };
  return await chain.run({ candidates: [candidate] }, async ({ events }) => {
    let characters = 0;
    for await (const event of events(request)) {
      if (event.type === "text") characters += event.delta.length;
    }
    return characters;
  });
}

/** Returns the median of the differences of both ways in milliseconds; they alternate, so that both meet the same load. */
async function overhead(once) {
  const differences = [];
  for (let round = -2; round < ROUNDS; round += 1) {
    const [first, second] = [
      await timed(() => once(direct)),
      await timed(() => once(throughChain)),
    ];
    if (round >= 0) differences.push(second - first);
  }
  return median(differences);
}

/** Returns the processor time of work in milliseconds, which other processes on the machine do not change. */
async function timed(work) {
  globalThis.gc?.();
  const start = cpuUsage();
  await work();
  const { user, system } = cpuUsage(start);
  return (user + system) / 1000;
}

function median(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

function report(metric, value, unit, goal, n) {
  const figure = { metric, value: Number(value.toFixed(3)), unit, n, goal, better: "lower" };
  console.log(JSON.stringify({ package: "models", bench: "chain", ...figure }));
}

const long = modelWith(CHUNKS);
if ((await direct(long)) !== (await throughChain(long))) throw new Error("text was lost");
const perChunk = (await overhead((way) => way(long))) / CHUNKS;
report("overhead of a streamed chunk", Math.max(0, perChunk * 1000), "µs", 5, ROUNDS * CHUNKS);

const short = modelWith(1);
const perCall =
  (await overhead(async (way) => {
    for (let call = 0; call < CALLS; call += 1) await way(short);
  })) / CALLS;
report("overhead of a call", Math.max(0, perCall), "ms", 0.3, ROUNDS * CALLS);

// All models but the last cool down.
const health = new ModelHealth();
const settings = chainSettings({ failover: { cooldownMs: 3_600_000, maxCooldownMs: 3_600_000 } });
const error = { code: "MODEL_CONNECTION_FAILED", message: "down", retryable: true };
const many = Array.from({ length: CANDIDATES }, (_, index) => {
  const ref = `p${index}/m`;
  const resolved = { ref, provider: `p${index}`, modelId: "m", model: short, paid: false };
  return { ...resolved, priority: CANDIDATES - index, resolve: async () => resolved };
});
for (const each of many.slice(1)) health.modelFailed(each, error, settings);
const choosing = new ModelChain({ health, settings });
const choices = [];
for (let round = -2; round < ROUNDS; round += 1) {
  const ms = await timed(async () => {
    for (let count = 0; count < CHOICES; count += 1) {
      const chosen = await choosing.run({ candidates: many }, async ({ model }) => model.ref);
      if (chosen !== "p0/m") throw new Error(`${chosen} was called`);
    }
  });
  if (round >= 0) choices.push(ms / CHOICES);
}
report("choice among 20 models", median(choices) * 1000, "µs", 50, ROUNDS * CHOICES);
