// Measures a built gateway with every bundled extension on: the time and the processor time from its start until it
// reports ready, for the first start ever and with an existing state folder (SCALE-036), and its memory 5 seconds later
// (SCALE-037); then what ten configured MCP servers that are not used add to both, whose tools are known from an earlier
// start. Run with `node bench/start.bench.mjs` after a build; `--short` starts it three times.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BIN = join(import.meta.dirname, "../bin/openclaw.cjs");
const MCP_SERVER = join(
  import.meta.dirname,
  "../../../extensions/mcp/test/support/stdio-server.mjs",
);
const isShort = process.argv.includes("--short");
const RUNS = isShort ? 3 : 20;
const MCP_RUNS = isShort ? 1 : 5;
/** Time after which the memory of an idle gateway is measured (SCALE-037). */
const IDLE_MS = 5000;
const plain = homeWith({});
const servers = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [
    `server${index}`,
    { command: process.execPath, args: [MCP_SERVER] },
  ]),
);
const withServers = homeWith({ mcpServers: servers });

try {
  await measureStart();
  await measureServers();
} finally {
  for (const home of [plain, withServers]) rmSync(home, { recursive: true, force: true });
}

async function measureStart() {
  const first = await startOnce(plain);
  const warm = [];
  for (let run = 0; run < RUNS; run++) warm.push(await startOnce(plain));
  const ready = warm.map(({ readyMs }) => readyMs);
  const processor = warm.map(({ cpuMs }) => cpuMs);
  const { residentMiB } = await startOnce(plain, IDLE_MS);
  print("first start", "start to /readyz", first.readyMs, { unit: "ms", n: 1, goal: 2000 });
  print("warm restart", "start to /readyz, median", median(ready), { unit: "ms", goal: 700 });
  print("warm restart", "start to /readyz, slowest", Math.max(...ready), { unit: "ms" });
  print("warm restart", "CPU until ready, median", median(processor), { unit: "ms", goal: 1000 });
  print("idle", "resident memory 5 s after ready", residentMiB, { unit: "MiB", n: 1, goal: 140 });
}

async function measureServers() {
  await startOnce(withServers);
  for (const name of Object.keys(servers)) {
    const tested = spawnSync(process.execPath, [BIN, "mcp", "test", name], options(withServers));
    if (tested.status !== 0) throw new Error(String(tested.stderr));
  }
  const runs = { without: [], with: [] };
  for (let run = 0; run < MCP_RUNS; run += 1) {
    runs.without.push(await startOnce(plain, IDLE_MS));
    runs.with.push(await startOnce(withServers, IDLE_MS));
  }
  const added = (field) =>
    median(runs.with.map((run) => run[field])) - median(runs.without.map((run) => run[field]));
  const bench = "ten MCP servers that are not used";
  const n = MCP_RUNS;
  print(bench, "added start to /readyz, median", added("readyMs"), { unit: "ms", n });
  const metric = "added resident memory 5 s after ready, median";
  print(bench, metric, added("residentMiB"), { unit: "MiB", n, goal: 5 });
}

function homeWith(configuration) {
  const home = mkdtempSync(join(tmpdir(), "openclaw-bench-"));
  if (Object.keys(configuration).length === 0) return home;
  mkdirSync(join(home, "state"));
  const text = JSON.stringify(configuration);
  writeFileSync(join(home, "state", "openclaw.json"), text, { mode: 0o600 });
  return home;
}

function options(home) {
  const env = { PATH: process.env.PATH, HOME: home, OPENCLAW_STATE_DIR: join(home, "state") };
  return { cwd: home, env };
}

/** Starts a gateway, and stops it after a time in milliseconds. */
async function startOnce(home, idleMs = 0) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [BIN, "gateway", "run", "--port", "0"], {
    ...options(home),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const url = await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const [, found] = /url\s+(http:\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`the gateway ended early:\n${output}`)));
  });
  const answer = await fetch(`${url}/readyz`);
  if (!answer.ok) throw new Error(`not ready: ${await answer.text()}`);
  const readyMs = performance.now() - startedAt;
  const cpuMs = processorTime(child.pid);
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const [own, ...others] = familyOf(child.pid).map(residentMemory);
  // A child may end meanwhile.
  const residentMiB = others.filter(Number.isFinite).reduce((sum, size) => sum + size, own);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  return { readyMs, cpuMs, residentMiB };
}

/** Returns a process with its descendants, as far as /proc knows them. */
function familyOf(root) {
  const family = [root];
  const parents = processes().map((pid) => [pid, parentOf(pid)]);
  for (const pid of family) {
    family.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  }
  return family;
}

function processes() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid) {
  return Number(fieldsOf(pid)?.[1]);
}

/** Reads the processor time of all threads from /proc, where that exists. */
function processorTime(pid) {
  const [user, system] = fieldsOf(pid)?.slice(11, 13) ?? [];
  return (Number(user) + Number(system)) * 10;
}

/** Returns the fields of a process behind its name; undefined for one that has ended. */
function fieldsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  } catch {
    return undefined;
  }
}

/** Reads the resident memory from /proc, where that exists. */
function residentMemory(pid) {
  try {
    const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kibibytes) / 1024;
  } catch {
    return Number.NaN;
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function print(bench, metric, value, { unit, n = RUNS, goal }) {
  if (Number.isNaN(value)) return;
  const result = { package: "openclaw", bench, metric, value, unit, n, better: "lower" };
  console.log(JSON.stringify(goal === undefined ? result : { ...result, goal }));
}
