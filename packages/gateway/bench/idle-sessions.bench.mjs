// Measures the time from the start of a gateway process with many stored sessions until it is ready. Run with
// `node bench/idle-sessions.bench.mjs` after a build.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfiguration } from "@openclaw/configuration";
import { openStore } from "@openclaw/store";
import { startGateway, stateFolderAt } from "../dist/index.js";

const SESSIONS = 100_000;
const STARTS = 15;
const GOAL_MS = 1000;

const [role, given] = process.argv.slice(2);
if (role === "serve") {
  await serve(given);
} else {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-idle-bench-"));
  try {
    const none = join(folder, "none");
    const idle = join(folder, "idle");
    await fill(idle);
    const times = { none: [], idle: [] };
    await start(none);
    for (let round = 0; round < STARTS; round += 1) {
      times.none.push(await start(none));
      times.idle.push(await start(idle));
    }
    const bench = "process start to /readyz";
    report({ bench, metric: "without sessions, median", value: median(times.none) });
    const value = median(times.idle);
    report({ bench, metric: `${SESSIONS} sessions, median`, value, goal: GOAL_MS });
    report({ bench, metric: `${SESSIONS} sessions, slowest`, value: Math.max(...times.idle) });
    const ratio = value / median(times.none);
    report({ bench, metric: "ratio of both", value: ratio, unit: "x" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(dir) {
  mkdirSync(dir, { recursive: true });
  const store = await openStore({ file: stateFolderAt(dir).databaseFile, durability: "process" });
  await store.transaction(async (inside) => {
    for (let index = 0; index < SESSIONS; index += 1) {
      const key = `agent:main:idle:${index}`;
      const { session } = await inside.sessions.open(key, { agentId: "main" });
      if (index % 10 > 0) continue;
      const message = { role: "user", content: [{ type: "text", text: "Hello" }], timestamp: 1 };
      await inside.messages.transcript.append({ sessionId: session.sessionId, message });
    }
  });
  await store.close();
}

/** Returns the milliseconds until a gateway in a separate process reports ready. */
async function start(dir) {
  const begun = performance.now();
  const child = fork(fileURLToPath(import.meta.url), ["serve", dir]);
  const [url] = await once(child, "message");
  const response = await fetch(`${url}/readyz`);
  const milliseconds = performance.now() - begun;
  if (!response.ok) throw new Error(`not ready: ${await response.text()}`);
  const ended = once(child, "exit");
  child.send("stop");
  await ended;
  return milliseconds;
}

async function serve(dir) {
  const configurationFile = join(dir, "openclaw.json");
  const gateway = await startGateway({
    version: "0.0.0",
    stateDir: dir,
    configuration: await loadConfiguration(configurationFile),
    configurationFile,
    workspaceDir: join(dir, "workspace"),
    bundledExtensions: [],
    environment: {},
    port: 0,
  });
  process.send(gateway.url);
  await once(process, "message");
  await gateway.stop("command");
  process.disconnect();
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function report({ value, ...result }) {
  const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
  const line = { package: "@openclaw/gateway", unit: "ms", better: "lower", n: STARTS, ...result };
  console.log(JSON.stringify({ ...line, value: Number(value.toPrecision(4)), machine }));
}
