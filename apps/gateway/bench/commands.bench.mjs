// Measures the time of commands from their start to their end: --version, a list from manifests without a gateway, and
// commands that read from a running gateway with every bundled extension (GW-045). Run with `node bench/commands.bench.mjs`
// after a build; `--short` runs each command three times.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BIN = join(import.meta.dirname, "../bin/openclaw.cjs");
const RUNS = process.argv.includes("--short") ? 3 : 21;
const home = mkdtempSync(join(tmpdir(), "openclaw-bench-"));
const environment = { PATH: process.env.PATH, HOME: home, OPENCLAW_STATE_DIR: join(home, "state") };

/** Commands that only read, with the gateway running. */
const READING = [
  ["gateway", "status"],
  ["status"],
  ["plugins", "list"],
  ["sessions", "list"],
  ["hooks", "list"],
  ["tool", "list"],
  ["usage"],
  ["approvals", "list"],
  ["config", "get"],
  ["logs"],
];

try {
  print("--version", await medianOf(["--version"]), 60);
  print(
    "plugins list --json, without a gateway",
    await medianOf(["plugins", "list", "--json"]),
    400,
  );
  const gateway = await startGateway();
  for (const command of READING) {
    const args = [...command, "--json"];
    print(`${args.join(" ")}, with a gateway`, await medianOf(args), 250);
  }
  gateway.kill("SIGTERM");
  await new Promise((resolve) => gateway.once("exit", resolve));
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function startGateway() {
  // A benchmark calls more often than a client may by default.
  const limits = { requestsPerMinute: 0, chatSendsPerMinute: 0 };
  mkdirSync(environment.OPENCLAW_STATE_DIR, { recursive: true });
  writeFileSync(
    join(environment.OPENCLAW_STATE_DIR, "openclaw.json"),
    JSON.stringify({ gateway: { limits } }),
  );
  const child = spawn(process.execPath, [BIN, "gateway", "run", "--port", "0"], {
    cwd: home,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
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

async function medianOf(args) {
  const times = [];
  // The first run fills caches of the file system.
  for (let run = 0; run <= RUNS; run++) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: home,
      env: environment,
      stdio: "ignore",
    });
    const status = await new Promise((resolve) => child.once("exit", resolve));
    if (status !== 0) throw new Error(`openclaw ${args.join(" ")} ended with ${status}`);
    if (run > 0) times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}

function print(metric, value, goal) {
  const result = {
    package: "openclaw",
    bench: "commands",
    metric,
    value,
    unit: "ms",
    n: RUNS,
    goal,
    better: "lower",
  };
  console.log(JSON.stringify(result));
}
