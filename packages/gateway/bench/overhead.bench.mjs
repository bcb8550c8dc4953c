// Measures the overhead of the host for turns and tool calls at half of its maximum load, with hooked
// plugins, a model and a tool that respond at once, and durable writes. Run with `node
// bench/overhead.bench.mjs` after a build.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createScriptedModel } from "@openclaw/models";
import { openStore } from "@openclaw/store";
import { openStateFolder } from "../dist/index.js";
import { openBenchHost } from "./bench-host.ts";
import { ANSWER } from "./bench-provider.ts";

const PLUGINS = 10;
const SESSIONS = 50;
const WARM_UP_TURNS = 200;
const BUSIEST_TURNS = 1000;
const MEASURED_TURNS = 1000;
const CALLS_PER_TURN = 4;
const GOALS = { turn: { p50: 8, p99: 50 }, call: { p50: 3, p99: 20 } };

const folder = mkdtempSync(join(tmpdir(), "openclaw-overhead-bench-"));
try {
  await measure("turn", "say something", (began, ended) => [ended - began]);
  await measure("call", "call tools", (_began, _ended, calls) => calls);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Determines the maximum rate of turns, then sends half as many at even intervals.
 * @param kind - prefix of goals and rows
 * @param text - text of the messages, which controls the model
 * @param times - returns the measured times of a turn in milliseconds
 */
async function measure(kind, text, times) {
  const store = await openStore({ file: join(folder, `${kind}.db`), durability: "power" });
  const toolMs = [];
  const host = await openToolHost(store, kind, toolMs);
  const turn = async (index) => {
    const starts = [];
    const began = performance.now();
    const outcome = await host.receive(message(text, index % SESSIONS), {
      onEvent({ type }) {
        if (type === "tool-started") starts.push(performance.now());
      },
    });
    if (outcome.status !== "replied") throw new Error(`expected a reply, got ${outcome.status}`);
    // From the start of one call to the start of the next, including its evaluation, journal entries and
    // writes.
    const calls = starts.slice(1).map((next, place) => next - starts[place]);
    return { began, ended: performance.now(), calls };
  };
  for (let index = 0; index < WARM_UP_TURNS; index += 1) await turn(index);

  const busyFrom = performance.now();
  await Promise.all(
    Array.from({ length: SESSIONS }, async (_, session) => {
      for (let index = 0; index < BUSIEST_TURNS / SESSIONS; index += 1) await turn(session);
    }),
  );
  const busiest = BUSIEST_TURNS / ((performance.now() - busyFrom) / 1000);

  toolMs.length = 0;
  const from = performance.now();
  const turns = [];
  for (let index = 0; index < MEASURED_TURNS; index += 1) {
    const early = from + (index / (busiest / 2)) * 1000 - performance.now();
    if (early > 0) await wait(early);
    turns.push(turn(index));
  }
  const ended = await Promise.all(turns);
  const sent = MEASURED_TURNS / ((ended.at(-1).ended - from) / 1000);
  await host.close("command");
  await store.close();

  const bench = `own overhead per ${kind}, ${PLUGINS} hooked plugins, half of maximum load`;
  report({ bench, metric: "maximum load", value: busiest, unit: "1/s", n: BUSIEST_TURNS });
  report({ bench, metric: "load", value: sent, unit: "1/s", n: MEASURED_TURNS });
  if (kind === "call") reportShares({ bench, values: toolMs, name: "of it the tool, " });
  const values = ended.flatMap((each) => times(each.began, each.ended, each.calls));
  reportShares({ bench, values, goals: GOALS[kind] });
}

function message(text, session) {
  return {
    channel: "bench",
    accountId: "default",
    conversationId: `session-${session}`,
    senderId: "me",
    senderIsOwner: true,
    text,
    sessionKey: `agent:main:session-${session}`,
    agentId: "main",
  };
}

async function openToolHost(store, name, toolMs) {
  const plugins = Array.from({ length: PLUGINS }, (_, index) => hookedPlugin(index));
  return await openBenchHost({
    state: openStateFolder(join(folder, `state-${name}`)),
    store,
    inlinePlugins: [...plugins, toolPlugin(toolMs)],
    provider: scriptedProvider(),
  });
}

/** Returns a plugin with hooks of the prompt, every message, the reply, and both sides of tool calls. */
function hookedPlugin(index) {
  return {
    id: `bench-${index}`,
    register(api) {
      api.on("before_prompt_build", () => ({ appendContext: `Note ${index}.` }));
      api.on("before_message_write", ({ message: written }) => (written.content ? undefined : {}));
      api.on("message_sending", ({ content }) => ({ content: content.trimEnd() }));
      api.on("before_tool_call", ({ params }) => ({
        params: { ...params, noted: (params.noted ?? 0) + 1 },
      }));
      api.on("after_tool_call", () => undefined);
    },
  };
}

function toolPlugin(toolMs) {
  return {
    id: "bench-tool",
    register(api) {
      api.registerTool({
        name: "bench_count",
        description: "Says what it was given.",
        parameters: {
          type: "object",
          properties: { count: { type: "integer" }, noted: { type: "integer" } },
          required: ["count"],
          additionalProperties: false,
        },
        execute(_id, { count }) {
          const began = performance.now();
          const said = `counted ${count}`;
          toolMs.push(performance.now() - began);
          return said;
        },
      });
    },
  };
}

function scriptedProvider() {
  const model = createScriptedModel(({ prompt }) => {
    const last = prompt.at(-1);
    const wantsTools = last?.role === "user" && JSON.stringify(last.content).includes("call tools");
    if (!wantsTools) return { text: ANSWER };
    const toolCalls = Array.from({ length: CALLS_PER_TURN + 1 }, (_, count) => ({
      toolName: "bench_count",
      params: { count },
    }));
    return { toolCalls };
  });
  return {
    id: "scripted",
    defaultModel: "model",
    paid: false,
    setup: "nothing",
    credential: { source: "the benchmark" },
    languageModel: () => model,
  };
}

function reportShares({ bench, values, name = "", goals = {} }) {
  const sorted = values.toSorted((one, other) => one - other);
  for (const [metric, share] of [
    ["p50", 0.5],
    ["p99", 0.99],
  ]) {
    const value = sorted[Math.floor(share * (sorted.length - 1))];
    const row = { bench, metric: `${name}${metric}`, value, unit: "ms", n: sorted.length };
    report({ ...row, better: "lower", goal: goals[metric] });
  }
}

function report({ value, goal, ...result }) {
  const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
  const rounded = Number(value.toPrecision(4));
  const line = {
    package: "@openclaw/gateway",
    better: "higher",
    ...result,
    value: rounded,
    machine,
  };
  console.log(JSON.stringify(goal === undefined ? line : { ...line, goal }));
}
