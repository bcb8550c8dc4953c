// Measures how many turns gateways have, each in a process of its own, on an embedded database and on a PostgreSQL of the
// same machine (SCALE-033), and simulates more machines from what a turn cost. It reads processor times from /proc, which
// Linux has. Run with `node bench/nodes.bench.mjs` after a build; `--short` has two seconds of each load.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { simulate } from "./capacity.ts";
import { measureFlush, readCosts } from "./database-costs.mjs";

const isShort = process.argv.includes("--short");
const SECONDS = isShort ? 2 : 60;
const WARM_UP_SECONDS = isShort ? 1 : 10;
const SESSIONS = 200;
/** Machines of the simulation: nodes of two cores each, and a database with its own cores, or with a part of theirs. */
const SIMULATED = [
  { nodes: 1, nodeCores: 2, databaseCores: 0 },
  { nodes: 4, nodeCores: 8, databaseCores: 0 },
  ...[1, 2, 4, 8, 16, 32].map((nodes) => ({ nodes, nodeCores: nodes * 2, databaseCores: 4 })),
];
/** Hottest tables that are named. */
const TABLES = 5;

const folder = mkdtempSync(join(tmpdir(), "openclaw-nodes-bench-"));
/** Starts a server, and a command with its URL in OPENCLAW_BENCH_POSTGRES_URL. */
const WITH_SERVER = join(import.meta.dirname, "../../store/bench/with-postgres.mjs");
const server = { url: process.env.OPENCLAW_BENCH_POSTGRES_URL };
if (server.url === undefined) {
  const again = [WITH_SERVER, process.execPath, ...process.argv.slice(1)];
  [process.exitCode] = await once(spawn(process.execPath, again, { stdio: "inherit" }), "exit");
} else {
  await measure();
}

async function measure() {
  try {
    await measureAll();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAll() {
  await measureEmbedded();
  const one = await measureNodes(1);
  report("1 node on PostgreSQL", "turns", one.perSecond, "1/s", one.turns, { goal: 80 });
  const two = await measureNodes(2);
  report("2 nodes on PostgreSQL", "turns", two.perSecond, "1/s", two.turns, {});
  const loss = Math.max(0, 1 - two.perSecond / one.perSecond) * 100;
  report("2 nodes on PostgreSQL", "loss against 1 node", loss, "%", two.turns, {
    ...{ goal: 10, better: "lower" },
  });
  await reportSimulation(one);
}

async function measureEmbedded() {
  const [{ perSecond, turns }] = [await runLoad([{ name: "embedded", store: {} }])];
  report("1 node, embedded database", "turns", perSecond, "1/s", turns, { goal: 150 });
}

/** Turns of nodes on the server, and what one of them cost there. */
async function measureNodes(count) {
  const schema = `nodes_${count}`;
  const url = `${server.url}?schema=${schema}`;
  const nodes = Array.from({ length: count }, (_, index) => ({
    name: `node-${count}-${index}`,
    store: { url },
  }));
  let before;
  const load = await runLoad(nodes, async () => {
    before = await readCosts(server.url, schema);
  });
  const after = await readCosts(server.url, schema);
  const perTurn = (value) => value / load.turns;
  return {
    ...load,
    costs: {
      nodeMs: perTurn(load.processorMs),
      threadMs: perTurn(load.threadMs),
      databaseMs: perTurn(after.processorMs - before.processorMs),
      commits: perTurn(after.commits - before.commits),
    },
    logBytes: perTurn(after.logBytes - before.logBytes),
    tables: [...after.written]
      .map(([name, written]) => [name, perTurn(written - (before.written.get(name) ?? 0))])
      .sort(([, one], [, other]) => other - one)
      .slice(0, TABLES),
  };
}

async function reportSimulation({ costs, logBytes, tables, turns }) {
  const { flushMs, roundTripMs, n } = await measureFlush(server.url);
  const bench = "cost of a turn on PostgreSQL";
  const lower = { better: "lower" };
  report(bench, "processor time of the node", costs.nodeMs, "ms", turns, lower);
  report(bench, "of it, the thread of the turns", costs.threadMs, "ms", turns, lower);
  report(bench, "processor time of the database", costs.databaseMs, "ms", turns, lower);
  report(bench, "transactions that write", costs.commits, "commits", turns, lower);
  report(bench, "log", logBytes / 1024, "KiB", turns, lower);
  report(bench, "flush of the log", flushMs, "ms", n, lower);
  report(bench, "one statement", roundTripMs, "ms", n, lower);
  for (const [name, written] of tables) {
    report(bench, `rows written in ${name}`, written, "rows", turns, lower);
  }
  const commits = Math.max(1, Math.round(costs.commits));
  // A thread that waited for a core was not busy in that time.
  const threadMs = Math.min(costs.threadMs, costs.nodeMs);
  const ofTurn = { ...costs, threadMs, commits, flushMs, roundTripMs };
  const results = SIMULATED.map((machines) => ({
    machines,
    ...simulate(ofTurn, { ...machines, sessions: SESSIONS * machines.nodes }),
  }));
  for (const { machines, turnsPerSecond, databaseBusy, sumBusy } of results) {
    const { nodes, nodeCores, databaseCores } = machines;
    const beside = databaseCores === 0 ? "with the database" : `database on ${databaseCores}`;
    const name = `simulated: ${nodes} nodes on ${nodeCores} cores, ${beside}`;
    report(name, "turns", turnsPerSecond, "1/s", nodes * SESSIONS, {});
    report(name, "database busy", databaseBusy * 100, "%", nodes * SESSIONS, lower);
    report(name, "row of the agent's tokens busy", sumBusy * 100, "%", nodes * SESSIONS, lower);
  }
  const [small, large] = results;
  report(
    "simulated: 4 nodes on 8 cores against 1 node on 2",
    "turns",
    ...[large.turnsPerSecond / small.turnsPerSecond, ...["x", SESSIONS * 4], { goal: 2.8 }],
  );
}

/**
 * Starts gateways, warms them up, and loads them all at once.
 * @param nodes - name and section `store` of each
 * @param begin - called between the two
 */
async function runLoad(nodes, begin = () => undefined) {
  const running = await Promise.all(nodes.map(startNode));
  const sessions = SESSIONS / nodes.length;
  const all = (seconds) => Promise.all(running.map((node) => node.load({ sessions, seconds })));
  await all(WARM_UP_SECONDS);
  await begin();
  const results = await all(SECONDS);
  await Promise.all(running.map((node) => node.stop()));
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const perSecond = results.reduce((total, { turns, seconds }) => total + turns / seconds, 0);
  const [turns, processorMs, threadMs] = ["turns", "processorMs", "threadMs"].map(sum);
  return { perSecond, turns, processorMs, threadMs };
}

async function startNode({ name, store }) {
  const own = join(folder, name);
  mkdirSync(own);
  writeFileSync(join(own, "openclaw.json"), JSON.stringify({ store }));
  const program = join(import.meta.dirname, "load-node.mjs");
  const child = spawn(process.execPath, [program, own, name], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} ended: exit ${child.exitCode ?? child.signalCode}`);
    return JSON.parse(value);
  };
  await next();
  return {
    async load(load) {
      child.stdin.write(`${JSON.stringify(load)}\n`);
      return await next();
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

function report(bench, metric, value, unit, n, { goal, better = "higher" }) {
  const rounded = Number(value.toPrecision(4));
  const line = { package: "@openclaw/gateway", bench, metric, value: rounded, unit, n, better };
  console.log(JSON.stringify(goal === undefined ? line : { ...line, goal }));
}
