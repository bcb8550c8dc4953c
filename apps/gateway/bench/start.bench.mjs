// Measures a built gateway with every bundled extension on: the time and the processor time from its start until it
// reports ready, for the first start ever and with an existing state folder (SCALE-036), and its memory 5 seconds later
// (SCALE-037). Run with `node bench/start.bench.mjs` after a build; `--short` starts it three times.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BIN = join(import.meta.dirname, "../bin/openclaw.cjs");
const RUNS = process.argv.includes("--short") ? 3 : 20;
/** Time after which the memory of an idle gateway is measured (SCALE-037). */
const IDLE_MS = 5000;
const home = mkdtempSync(join(tmpdir(), "openclaw-bench-"));
const environment = { PATH: process.env.PATH, HOME: home, OPENCLAW_STATE_DIR: join(home, "state") };

try {
  const first = await startOnce();
  const warm = [];
  for (let run = 0; run < RUNS; run++) warm.push(await startOnce());
  const ready = warm.map(({ readyMs }) => readyMs);
  const processor = warm.map(({ cpuMs }) => cpuMs);
  const { residentMiB } = await startOnce(IDLE_MS);
  print("first start", "start to /readyz", first.readyMs, { unit: "ms", n: 1, goal: 2000 });
  print("warm restart", "start to /readyz, median", median(ready), { unit: "ms", goal: 500 });
  print("warm restart", "start to /readyz, slowest", Math.max(...ready), { unit: "ms" });
  print("warm restart", "CPU until ready, median", median(processor), { unit: "ms", goal: 1000 });
  print("idle", "resident memory 5 s after ready", residentMiB, { unit: "MiB", n: 1, goal: 120 });
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Starts a gateway, and stops it after a time in milliseconds. */
async function startOnce(idleMs = 0) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [BIN, "gateway", "run", "--port", "0"], {
    cwd: home,
    env: environment,
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
  const residentMiB = residentMemory(child.pid);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  return { readyMs, cpuMs, residentMiB };
}

/** Reads the processor time of all threads from /proc, where that exists. */
function processorTime(pid) {
  try {
    const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [user, system] = fields.split(" ").slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return Number.NaN;
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
