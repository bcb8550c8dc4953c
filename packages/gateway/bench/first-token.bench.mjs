// Measures the time of the first words of a reply from a provider's server through the gateway to a client,
// over HTTP on both sides. This process is both the server and the client, and so has one clock; the gateway
// is a separate process. Run with `node bench/first-token.bench.mjs` after a build.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadConfiguration } from "@openclaw/configuration";
import { startGateway, stateFolderAt } from "../dist/index.js";

const PLUGINS = 10;
const CLIENTS = 4;
const WARM_UP_ANSWERS = 40;
const ANSWERS = 1000;
/** Minimum thinking time of a hosted model, and its time between two chunks of the reply. */
const THINKING_MS = 20;
const GOAL_MS = 20;
const PROVIDER = fileURLToPath(new URL("../../../extensions/openai-compatible", import.meta.url));

const [role, given] = process.argv.slice(2);
if (role === "serve") {
  await serve(given);
} else {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-first-token-bench-"));
  const provider = await startProvider();
  const env = { ...process.env, LLM_BASE_URL: provider.url, LLM_MODEL: "model" };
  const child = fork(fileURLToPath(import.meta.url), ["serve", folder], { env });
  try {
    const [url] = await once(child, "message");
    const token = readFileSync(stateFolderAt(folder).tokenFile, "utf8").trim();
    const ask = (index) => milliseconds(url, token, index, provider);
    await crowd(WARM_UP_ANSWERS, ask);
    const times = (await crowd(ANSWERS, ask)).sort((one, other) => one - other);
    const bench = `first words from provider to client, ${PLUGINS} hooked plugins, ${CLIENTS} clients`;
    const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
    for (const [metric, share, goal] of [
      ["p50", 0.5],
      ["p99", 0.99, GOAL_MS],
    ]) {
      const value = Number(times[Math.floor(share * (times.length - 1))].toPrecision(4));
      const result = {
        bench,
        metric,
        value,
        unit: "ms",
        n: times.length,
        better: "lower",
        machine,
      };
      console.log(JSON.stringify({ package: "@openclaw/gateway", ...result, goal }));
    }
  } finally {
    const ended = once(child, "exit");
    child.send("stop");
    await ended;
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets each client send one request after another. */
async function crowd(answers, ask) {
  const times = [];
  let next = 0;
  const client = async () => {
    while (next < answers) {
      next += 1;
      times.push(await ask(next));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return times;
}

/** Returns the time from the provider's write of the first words to the client's read of them. */
async function milliseconds(url, token, index, provider) {
  const question = `question ${index} of ${crypto.randomUUID()}`;
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({
      model: "openclaw",
      stream: true,
      messages: [{ role: "user", content: question }],
    }),
  });
  if (!response.ok) throw new Error(`no answer: ${await response.text()}`);
  let text = "";
  let came;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (came === undefined && text.includes("Words")) came = performance.now();
  }
  const sent = provider.sent(question);
  if (came === undefined || sent === undefined) throw new Error(`no words came: ${text}`);
  return came - sent;
}

/** Starts a server that implements chat completions and records when it sent its first words. */
async function startProvider() {
  const sent = new Map();
  const server = createServer(async (request, response) => {
    const body = await new Response(request).text();
    const [question] = body.match(/question \d+ of [0-9a-f-]{36}/g)?.slice(-1) ?? [];
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta, finish = null) => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      const chunk = { id: "answer", object: "chat.completion.chunk", created: 1, model: "model" };
      response.write(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`);
    };
    send({ role: "assistant", content: "" });
    await wait(THINKING_MS);
    sent.set(question, performance.now());
    send({ content: "Words of an answer" });
    await wait(THINKING_MS);
    send({ content: " and more of them." });
    send({}, "stop");
    response.end("data: [DONE]\n\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    sent: (question) => sent.get(question),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(dir) {
  mkdirSync(dir, { recursive: true });
  const configurationFile = join(dir, "openclaw.json");
  // A benchmark sends more than a client may by default.
  const limits = { requestsPerMinute: 0, chatSendsPerMinute: 0 };
  writeFileSync(configurationFile, JSON.stringify({ gateway: { limits } }));
  const gateway = await startGateway({
    version: "0.0.0",
    stateDir: dir,
    configuration: await loadConfiguration(configurationFile),
    configurationFile,
    workspaceDir: join(dir, "workspace"),
    bundledExtensions: [PROVIDER],
    inlinePlugins: Array.from({ length: PLUGINS }, (_, index) => hookedPlugin(index)),
    model: "openai-compatible/model",
    environment: process.env,
    port: 0,
  });
  process.send(gateway.url);
  await once(process, "message");
  await gateway.stop("command");
  process.disconnect();
}

/**
 * Returns a plugin whose hooks do not rewrite the reply, because a rewritten reply is shown only when it is
 * complete.
 */
function hookedPlugin(index) {
  return {
    id: `bench-${index}`,
    register(api) {
      api.on("before_prompt_build", () => ({ appendContext: `Note ${index}.` }));
      api.on("before_message_write", ({ message }) => (message.content ? undefined : {}));
      api.on("llm_output", () => undefined);
      api.on("message_sent", () => undefined);
    },
  };
}
