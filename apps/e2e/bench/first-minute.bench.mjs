// Measures the time from `npx -y pnpm@12.21.0 start` in a fresh clone with an empty home folder, thus without any cache
// of npm or pnpm, until the gateway is ready (GW-097). It needs git, the registry and a commit of what it measures.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const RUNS = 3;
const GOAL_MS = 35_000;
const LONGEST_MS = 5 * 60_000;
const LOOK_MS = 50;

const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const times = [];
for (let run = 0; run < RUNS; run++) times.push(await firstMinute());
const [value] = times.toSorted((left, right) => right - left);
const result = { package: "@openclaw/e2e", bench: "first-minute", unit: "ms", goal: GOAL_MS };
const metric = "start in a fresh clone with an empty home, until ready, longest";
console.log(JSON.stringify({ ...result, metric, value, n: RUNS, better: "lower" }));

/** Returns the time until the gateway of a fresh clone is ready, in milliseconds. */
async function firstMinute() {
  // Not in memory, where temporary files of tests are: a user's checkout is on a disk.
  const folder = mkdtempSync(join(tmpdir(), "openclaw-first-minute-"));
  const clone = join(folder, "openclaw");
  const home = join(folder, "home");
  mkdirSync(home);
  const { status, stderr } = spawnSync("git", ["clone", "--quiet", ROOT, clone]);
  if (status !== 0) throw new Error(`git clone failed: ${stderr}`);
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn("npx", ["-y", packageManager, "start"], {
    cwd: clone,
    env: { PATH: programsOutsideTheCheckout(), HOME: home, OPENCLAW_PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
    // The whole group is stopped, whichever of npx, pnpm and the gateway is running.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    await ready(port, child, () => output);
    return performance.now() - startedAt;
  } finally {
    if (child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ready(port, child, output) {
  const giveUpAt = performance.now() + LONGEST_MS;
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`start ended early:\n${output()}`);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`the gateway was not ready after ${LONGEST_MS / 1000} s:\n${output()}`);
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns PATH without the folders that pnpm and npx put in front of it, as the shell of a new user has it. */
function programsOutsideTheCheckout() {
  const folders = (process.env.PATH ?? "").split(":");
  return folders.filter((folder) => !folder.includes("node_modules")).join(":");
}
