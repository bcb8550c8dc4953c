// Measures a gateway that receives twice as many messages as it can process (SCALE-040): the turns that it completes,
// compared with its capacity, and how fast it answers health checks, lists approvals and accepts an interruption
// meanwhile. Run with `node bench/overload.bench.mjs` after a build; `--short` has 5 seconds.
import { probing, report, withGateway } from "./wire/bench-host.mjs";
import { connectClients, createSessions, runAtCapacity, runLoad, share } from "./wire/load.mjs";

const isShort = process.argv.includes("--short");
/** As many as the gateway runs turns at once by default. */
const CLIENTS = 16;
const WARM_UP_SECONDS = isShort ? 1 : 10;
const SECONDS = isShort ? 3 : 20;
/** Largest number of messages beyond capacity, below `inbox.maxBacklog`. */
const MOST_WAITING = 8000;
const PROBE = {
  intervalMs: 20,
  requests: [
    { name: "health", path: "/healthz" },
    { name: "approvals.list", path: "/api/v1/approvals/list", body: {} },
    { name: "chat.abort", path: "/api/v1/chat/abort", body: { sessionKey: "agent:main:idle" } },
  ],
};
const BENCH = "twice the capacity";

await withGateway({ clients: CLIENTS, durability: "process" }, async (gateway) => {
  await createSessions(gateway, CLIENTS);
  const clients = await connectClients(gateway, CLIENTS);
  await runAtCapacity(clients, WARM_UP_SECONDS);
  const { turnsPerSecond: waiting } = await runAtCapacity(clients, WARM_UP_SECONDS);
  // Turns cost less while messages wait, because their commits join, so clients that wait for replies find too low a rate.
  const most = await runLoad(clients, loadOf(2 * waiting));
  const turnsPerSecond = most.repliedPerSecond;
  report("capacity", "turns", turnsPerSecond, { unit: "1/s", better: "higher", n: most.total });
  const { result, times } = await probing(gateway, PROBE, () =>
    runLoad(clients, loadOf(2 * turnsPerSecond)),
  );
  for (const client of clients) client.close();
  const ratio = result.repliedPerSecond / turnsPerSecond;
  const n = result.total;
  report(BENCH, "turns", result.repliedPerSecond, { unit: "1/s", better: "higher", n });
  report(BENCH, "ratio to the capacity", ratio, { unit: "x", better: "higher", n, goal: 0.9 });
  report(BENCH, "chat.send acknowledged, p99", share(result.acknowledged, 0.99), { unit: "ms", n });
  for (const [name, durations] of Object.entries(times)) {
    const p99 = share(durations, 0.99);
    report(BENCH, `${name}, p99`, p99, { unit: "ms", n: durations.length, goal: 500 });
  }
});

/** Returns a load whose messages never fill the inbox. */
function loadOf(turnsPerSecond) {
  return { turnsPerSecond, seconds: Math.min(SECONDS, (2 * MOST_WAITING) / turnsPerSecond) };
}
