// Measures what ten configured MCP servers that are not used cost a built gateway: the time until it reports ready and its
// resident memory with its child processes 5 seconds later. Their tools are known from an earlier start.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BIN = join(import.meta.dirname, "../bin/openclaw.cjs");
const SERVER = join(import.meta.dirname, "../../../extensions/mcp/test/support/stdio-server.mjs");
const RUNS = process.argv.includes("--short") ? 1 : 5;
const IDLE_MS = 5000;

const homes = { none: homeWith(0), ten: homeWith(10) };
try {
  for (const home of Object.values(homes)) {
    // The first start makes the store; `mcp test` makes the tools known.
    await startOnce(home);
    const names = Object.keys(serversOf(home === homes.ten ? 10 : 0));
    for (const name of names) {
      const tested = spawnSync(process.execPath, [BIN, "mcp", "test", name], options(home));
      if (tested.status !== 0) throw new Error(String(tested.stderr));
    }
  }
  const runs = { none: [], ten: [] };
  for (let run = 0; run < RUNS; run += 1) {
    for (const [kind, home] of Object.entries(homes))
      runs[kind].push(await startOnce(home, IDLE_MS));
  }
  const added = (field) =>
    median(runs.ten.map((run) => run[field])) - median(runs.none.map((run) => run[field]));
  print("added start to /readyz, median", added("readyMs"), "ms", {});
  print("added resident memory with children, median", added("residentMiB"), "MiB", { goal: 5 });
} finally {
  for (const home of Object.values(homes)) rmSync(home, { recursive: true, force: true });
}

function serversOf(count) {
  const entry = { command: process.execPath, args: [SERVER] };
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`server${index}`, entry]));
}

function homeWith(count) {
  const home = mkdtempSync(join(tmpdir(), "openclaw-bench-"));
  mkdirSync(join(home, "state"));
  const configuration = JSON.stringify({ mcpServers: serversOf(count) });
  writeFileSync(join(home, "state", "openclaw.json"), configuration, { mode: 0o600 });
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
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const residentMiB = familyOf(child.pid).reduce((sum, pid) => sum + residentMemory(pid), 0);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  return { readyMs, residentMiB };
}

/** Returns a process with its descendants. */
function familyOf(root) {
  const family = [root];
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)]);
  for (const pid of family) {
    family.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  }
  return family;
}

function parentOf(pid) {
  try {
    const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    return Number(fields.split(" ")[1]);
  } catch {
    return 0;
  }
}

function residentMemory(pid) {
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes ?? 0) / 1024;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function print(metric, value, unit, more) {
  const figure = { package: "gateway", bench: "mcp-servers", metric, value, unit, n: RUNS };
  console.log(JSON.stringify({ ...figure, ...more, better: "lower" }));
}
