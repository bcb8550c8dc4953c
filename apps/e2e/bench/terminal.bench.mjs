// Measures the time from the start of a chat at a terminal to its prompt, and what `pnpm openclaw` adds to a built
// command in a checkout (GW-090). Run it with pnpm, whose program it measures.
import { spawn as spawnProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";

const ROOT = join(import.meta.dirname, "../../..");
const BIN = join(ROOT, "apps/gateway/bin/openclaw.cjs");
const RUNS = 15;
const home = mkdtempSync(join(tmpdir(), "openclaw-bench-"));
const workspace = join(home, "project");
const state = join(home, "state");
const environment = { PATH: process.env.PATH, HOME: home, OPENCLAW_STATE_DIR: state };

try {
  mkdirSync(workspace);
  mkdirSync(state, { mode: 0o700 });
  writeFileSync(join(state, "trusted-folders.json"), JSON.stringify({ [workspace]: true }));
  print("chat, start to prompt, median", await medianOf(promptTime), 600);
  const gateway = await startGateway();
  print("chat with a running gateway, start to prompt, median", await medianOf(promptTime), 600);
  gateway.kill("SIGTERM");
  await new Promise((resolve) => gateway.once("exit", resolve));
  const pnpm = process.env.npm_execpath;
  if (pnpm === undefined) throw new Error("run it with `pnpm bench terminal`");
  const direct = await medianOf(() => commandTime(process.execPath, [BIN, "--version"]));
  const [program, ...args] = /\.[cm]?js$/.test(pnpm) ? [process.execPath, pnpm] : [pnpm];
  const whole = await medianOf(() =>
    commandTime(program, [...args, "-s", "openclaw", "--version"]),
  );
  print("pnpm openclaw --version, more than openclaw --version, median", whole - direct, 300);
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Returns the time until a chat shows its prompt, in milliseconds. */
async function promptTime() {
  const startedAt = performance.now();
  const chat = spawn(process.execPath, [BIN, "chat"], {
    ...{ name: "xterm-256color", cols: 100, rows: 30, cwd: workspace, env: environment },
  });
  const ended = new Promise((resolve) => chat.onExit(resolve));
  let output = "";
  await new Promise((resolve, reject) => {
    chat.onData((text) => {
      output += text;
      if (output.includes("ready · ")) resolve();
    });
    void ended.then(() => reject(new Error(`the chat ended early:\n${output}`)));
  });
  const time = performance.now() - startedAt;
  chat.kill("SIGTERM");
  await ended;
  return time;
}

async function commandTime(program, args) {
  const startedAt = performance.now();
  const child = spawnProcess(program, args, { cwd: ROOT, env: environment, stdio: "ignore" });
  const status = await new Promise((resolve) => child.once("exit", resolve));
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}`);
  return performance.now() - startedAt;
}

async function startGateway() {
  const child = spawnProcess(process.execPath, [BIN, "gateway", "run", "--port", "0"], {
    ...{ cwd: workspace, env: environment, stdio: ["ignore", "pipe", "inherit"] },
  });
  let output = "";
  await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (/url\s+http:\S+/.test(output)) resolve();
    });
    child.once("exit", () => reject(new Error(`the gateway ended early:\n${output}`)));
  });
  return child;
}

async function medianOf(measure) {
  // The first run fills caches of the file system.
  await measure();
  const times = [];
  for (let run = 0; run < RUNS; run++) times.push(await measure());
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}

function print(metric, value, goal) {
  const result = { package: "@openclaw/e2e", bench: "terminal", metric, value, unit: "ms" };
  console.log(JSON.stringify({ ...result, n: RUNS, goal, better: "lower" }));
}
