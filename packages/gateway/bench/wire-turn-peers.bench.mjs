// Compares a turn in process with what a user would take instead: LangGraph.js with SqliteSaver, and Mastra with
// LibSQL. Each runs one turn with persisted history and a model that answers at once, in a separate process; none
// flushes at each commit. The peers are installed with npm into a scratch folder and are no dependencies. Run with
// `node bench/wire-turn-peers.bench.mjs` after a build; OPENCLAW_BENCH_PEERS names a scratch folder that is kept for later
// runs.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const GOAL_TIMES = 3;
const STORE = fileURLToPath(new URL("../../store", import.meta.url));
const ENGINE = "better-sqlite3";
const PEERS = {
  langgraph: [
    "@langchain/langgraph@1.7.3",
    "@langchain/core@1.4.0",
    "@langchain/langgraph-checkpoint-sqlite@1.0.4",
  ],
  mastra: ["@mastra/core@1.71.0", "@mastra/memory@1.31.0", "@mastra/libsql@1.23.1"],
};

const folder = mkdtempSync(join(tmpdir(), "openclaw-peers-bench-"));
const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
try {
  const own = run("openclaw");
  report("openclaw", own, own);
  for (const [name, packages] of Object.entries(PEERS)) {
    report(name, run(name, install(name, packages)), own);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Installs a peer, unless an earlier run kept it, and returns its folder. */
function install(name, packages) {
  const place = join(process.env.OPENCLAW_BENCH_PEERS ?? folder, name);
  if (existsSync(join(place, "node_modules"))) return place;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ private: true }));
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"];
  const env = { ...process.env, PATH: path };
  execFileSync("npm", ["install", ...options, ...packages], { cwd: place, env, stdio: "ignore" });
  // Native and the same for both: the one that the store uses.
  const engine = join(place, "node_modules", ENGINE);
  if (existsSync(engine)) {
    rmSync(engine, { recursive: true });
    symlinkSync(realpathSync(join(STORE, "node_modules", ENGINE)), engine);
  }
  return place;
}

/** Runs the turns of a product in a separate process. */
function run(name, modules = "") {
  const state = join(folder, `${name}-state`);
  mkdirSync(state);
  const file = fileURLToPath(new URL(`peers/${name}.mjs`, import.meta.url));
  const output = execFileSync(process.execPath, [file, state, modules], { encoding: "utf8" });
  return JSON.parse(output.trimEnd().split("\n").at(-1));
}

function report(name, { p50, short, long, n }, own) {
  const print = (metric, value, more) => {
    const rounded = Number(value.toPrecision(4));
    const line = { package: "@openclaw/gateway", bench: name, metric, value: rounded, ...more };
    console.log(JSON.stringify({ ...line, machine }));
  };
  const goal = name === "langgraph" ? GOAL_TIMES : undefined;
  print("p50 of one turn after another", p50, { unit: "ms", n: n.single, better: "lower" });
  for (const [length, measured, ours] of [
    ["sessions of up to 20 turns", short, own.short],
    ["sessions of 50 to 70 turns", long, own.long],
  ]) {
    const { rate, cpuMs } = measured;
    print(`turns, 8 at once, ${length}`, rate, { unit: "1/s", n: n.crowd, better: "higher" });
    print(`CPU per turn, ${length}`, cpuMs, { unit: "ms", n: n.crowd, better: "lower" });
    if (measured === ours) continue;
    const times = { unit: "x", n: n.crowd, better: "higher", ...(goal && { goal }) };
    print(`OpenClaw's rate in its own, ${length}`, ours.rate / rate, times);
    print(`its CPU in OpenClaw's, ${length}`, cpuMs / ours.cpuMs, times);
  }
}
