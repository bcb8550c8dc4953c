// Measures the time from the start of a built gateway until it reports ready, with every bundled extension on
// and an existing state folder.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BIN = join(import.meta.dirname, "../bin/openclaw.cjs");
const RUNS = 15;
const home = mkdtempSync(join(tmpdir(), "openclaw-bench-"));
const environment = { PATH: process.env.PATH, HOME: home, OPENCLAW_STATE_DIR: join(home, "state") };

try {
  await startOnce();
  const ready = [];
  const version = [];
  const memory = [];
  for (let run = 0; run < RUNS; run++) {
    const { readyMs, residentMiB } = await startOnce();
    ready.push(readyMs);
    memory.push(residentMiB);
    version.push(await timeOf(["--version"]));
  }
  print("warm restart", "start to /readyz, median", median(ready), "ms", 1000);
  print("warm restart", "start to /readyz, slowest", Math.max(...ready), "ms");
  print("idle", "resident memory after ready, median", median(memory), "MiB", 120);
  print("command line", "--version, median", median(version), "ms", 100);
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function startOnce() {
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
  const residentMiB = residentMemory(child.pid);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  return { readyMs, residentMiB };
}

async function timeOf(args) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [BIN, ...args], { env: environment, stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
  return performance.now() - startedAt;
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

function print(bench, metric, value, unit, goal) {
  if (Number.isNaN(value)) return;
  const result = { package: "openclaw", bench, metric, value, unit, n: RUNS, better: "lower" };
  console.log(JSON.stringify(goal === undefined ? result : { ...result, goal }));
}
