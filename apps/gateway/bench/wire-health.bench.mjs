// Measures how fast `/healthz` answers while 1000 WebSocket clients are connected and 200 turns per second run, in a
// separate process. Run with `node bench/wire-health.bench.mjs` after a build; `--short` has 100 clients and 5 seconds.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { startGateway } from "./wire/gateway.mjs";
import { connectClients, createSessions, runLoad, share } from "./wire/load.mjs";
import { startProvider } from "./wire/provider.mjs";

const isShort = process.argv.includes("--short");
const CLIENTS = isShort ? 100 : 1000;
const LOAD = isShort ? { turnsPerSecond: 50, seconds: 5 } : { turnsPerSecond: 200, seconds: 30 };
const INTERVAL_MS = 20;

const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
const folder = mkdtempSync(join(tmpdir(), "openclaw-wire-health-bench-"));
const provider = await startProvider();
const limits = { connections: CLIENTS + 100, connectionsPerAddress: CLIENTS + 100 };
const gateway = await startGateway(folder, {
  durability: "power",
  providerUrl: provider.url,
  configuration: {
    gateway: { limits: { ...limits, requestsPerMinute: 0, chatSendsPerMinute: 0 } },
  },
});
try {
  await createSessions(gateway, CLIENTS);
  const clients = await connectClients(gateway, CLIENTS);
  const probe = new Worker(new URL("./wire/health-probe.mjs", import.meta.url), {
    workerData: { url: gateway.url, intervalMs: INTERVAL_MS },
  });
  const { total, seconds } = await runLoad(clients, LOAD);
  probe.postMessage("end");
  const [times] = await once(probe, "message");
  for (const client of clients) client.close();
  report("turns", total / seconds, { unit: "1/s", better: "higher", n: total });
  report("healthz, p50", share(times, 0.5), { unit: "ms", n: times.length });
  report("healthz, p99", share(times, 0.99), { unit: "ms", n: times.length, goal: 50 });
  report("healthz, slowest", share(times, 1), { unit: "ms", n: times.length });
} finally {
  await gateway.stop();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
}

function report(metric, value, { better = "lower", goal, ...more }) {
  const bench = "health check under full load";
  const result = { bench, metric, value: Number(value.toPrecision(4)), ...more, better };
  if (goal !== undefined) result.goal = goal;
  console.log(JSON.stringify({ package: "openclaw", ...result, machine }));
}
