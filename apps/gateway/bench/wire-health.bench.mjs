// Measures how fast `/healthz` answers while 1000 WebSocket clients are connected and 200 turns per second run, in a
// separate process. Run with `node bench/wire-health.bench.mjs` after a build; `--short` has 100 clients and 5 seconds.
import { probing, report, withGateway } from "./wire/bench-host.mjs";
import { connectClients, createSessions, runLoad, share } from "./wire/load.mjs";

const isShort = process.argv.includes("--short");
const CLIENTS = isShort ? 100 : 1000;
const LOAD = isShort ? { turnsPerSecond: 50, seconds: 5 } : { turnsPerSecond: 200, seconds: 30 };
const PROBE = { intervalMs: 20, requests: [{ name: "healthz", path: "/healthz" }] };
const BENCH = "health check under full load";

await withGateway({ clients: CLIENTS }, async (gateway) => {
  await createSessions(gateway, CLIENTS);
  const clients = await connectClients(gateway, CLIENTS);
  const { result, times } = await probing(gateway, PROBE, () => runLoad(clients, LOAD));
  for (const client of clients) client.close();
  const { total, seconds } = result;
  const { healthz } = times;
  report(BENCH, "turns", total / seconds, { unit: "1/s", better: "higher", n: total });
  report(BENCH, "healthz, p50", share(healthz, 0.5), { unit: "ms", n: healthz.length });
  report(BENCH, "healthz, p99", share(healthz, 0.99), { unit: "ms", n: healthz.length, goal: 50 });
  report(BENCH, "healthz, slowest", share(healthz, 1), { unit: "ms", n: healthz.length });
});
