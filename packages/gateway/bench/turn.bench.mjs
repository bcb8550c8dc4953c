// Measures complete turns through the built host, with a model that responds at once and a real database
// file. Run with `node --expose-gc bench/turn.bench.mjs` after a build. With `node
// packages/store/bench/with-postgres.mjs` in front, it measures them on a PostgreSQL server.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@openclaw/store";
import { openStateFolder } from "../dist/index.js";
import { openBenchHost } from "./bench-host.ts";
import { instantProvider } from "./bench-provider.ts";

const PLUGINS = 5;
const SESSIONS = 200;
const WARM_UP_TURNS = 300;
const SINGLE_TURNS = 2000;
const TURNS_PER_SESSION = 10;
const IDLE_SESSIONS = 100_000;
const GOALS = { process: 400, power: 150 };
const SERVER = process.env.OPENCLAW_BENCH_POSTGRES_URL;
const SERVER_GOAL = 80;

const folder = mkdtempSync(join(tmpdir(), "openclaw-turn-bench-"));
try {
  for (const durability of ["process", "power"]) {
    await measureTurns({ file: join(folder, `${durability}.db`), durability });
    if (SERVER !== undefined) {
      await measureTurns({ url: `${SERVER}?schema=${durability}`, durability });
    }
  }
  await measureIdleSessions();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureTurns(place) {
  const { durability } = place;
  const onServer = "url" in place;
  const store = await openStore(place);
  const host = await openPluginHost(store, `${durability}${onServer ? "-server" : ""}`);
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) await ask(host, `warm-up-${turn % 30}`);

  const latencies = [];
  for (let turn = 0; turn < SINGLE_TURNS; turn += 1) {
    const begun = performance.now();
    await ask(host, `single-${Math.floor(turn / TURNS_PER_SESSION)}`);
    latencies.push(performance.now() - begun);
  }
  latencies.sort((one, other) => one - other);
  const where = `${onServer ? "on PostgreSQL, " : ""}durability ${durability}`;
  const bench = `one turn after another, ${where}`;
  const goals = durability === "process" && !onServer ? { p50: 2, p99: 10 } : {};
  for (const [metric, share] of [
    ["p50", 0.5],
    ["p99", 0.99],
  ]) {
    const value = latencies[Math.floor(share * (latencies.length - 1))];
    const goal = goals[metric];
    report({ bench, metric, value, unit: "ms", n: SINGLE_TURNS, better: "lower", goal });
  }

  const begun = performance.now();
  const cpu = process.cpuUsage();
  const sessions = Array.from({ length: SESSIONS }, (_, index) => `crowd-${index}`);
  await Promise.all(
    sessions.map(async (session) => {
      for (let turn = 0; turn < TURNS_PER_SESSION; turn += 1) await ask(host, session);
    }),
  );
  const n = SESSIONS * TURNS_PER_SESSION;
  const value = n / ((performance.now() - begun) / 1000);
  const crowd = `${SESSIONS} sessions at once, ${where}`;
  const goal = onServer ? SERVER_GOAL : GOALS[durability];
  const { user, system } = process.cpuUsage(cpu);
  report({ bench: crowd, metric: "turns", value, unit: "1/s", n, better: "higher", goal });
  const used = (user + system) / 1000 / n;
  report({ bench: crowd, metric: "CPU per turn", value: used, unit: "ms", n, better: "lower" });
  await host.close("command");
  await store.close();
}

/** Measures the cost of idle sessions for a running host. */
async function measureIdleSessions() {
  const file = join(folder, "idle.db");
  const filling = await openStore({ file, durability: "process" });
  await filling.transaction(async (inside) => {
    for (let index = 0; index < IDLE_SESSIONS; index += 1) {
      await inside.sessions.open(`agent:main:idle:${index}`, { agentId: "main" });
    }
  });
  await filling.close();

  const memoryOf = async (name, path) => {
    const store = await openStore({ file: path, durability: "process" });
    const host = await openPluginHost(store, name);
    await host.serve(0);
    await ask(host, "awake");
    for (let round = 0; round < 3; round += 1) globalThis.gc?.();
    const { rss } = process.memoryUsage();
    await host.close("command");
    await store.close();
    return rss;
  };
  // The first host of a process also allocates what all later ones share.
  await memoryOf("first", join(folder, "first.db"));
  const without = await memoryOf("none", join(folder, "none.db"));
  const value = Math.max(0, (await memoryOf("idle", file)) - without) / 1e6;
  const bench = `${IDLE_SESSIONS} idle sessions`;
  report({ bench, metric: "added RSS", value, unit: "MB", n: 1, better: "lower", goal: 10 });
}

async function openPluginHost(store, name) {
  return await openBenchHost({
    state: openStateFolder(join(folder, `state-${name}`)),
    store,
    inlinePlugins: Array.from({ length: PLUGINS }, (_, index) => hookedPlugin(index)),
    provider: instantProvider(),
  });
}

async function ask(host, session) {
  const outcome = await host.receive({
    channel: "bench",
    accountId: "default",
    conversationId: session,
    senderId: "me",
    senderIsOwner: true,
    text: "A question of some words?",
    sessionKey: `agent:main:${session}`,
    agentId: "main",
  });
  if (outcome.status !== "replied") throw new Error(`expected a reply, got ${outcome.status}`);
}

/** Returns a plugin with three small hooks: one of the prompt, one of every message, one of the reply. */
function hookedPlugin(index) {
  return {
    id: `bench-${index}`,
    register(api) {
      api.on("before_prompt_build", () => ({ appendContext: `Note ${index}.` }));
      api.on("before_message_write", ({ message }) => (message.content ? undefined : {}));
      api.on("message_sending", ({ content }) => ({ content: content.trimEnd() }));
    },
  };
}

function report({ value, goal, ...result }) {
  const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
  const rounded = Number(value.toPrecision(4));
  const line = { package: "@openclaw/gateway", ...result, value: rounded, machine };
  console.log(JSON.stringify(goal === undefined ? line : { ...line, goal }));
}
