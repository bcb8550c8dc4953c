// Measures a gateway with many WebSocket clients, in a separate process: 1000 clients, each subscribed to one session,
// and 200 turns per second against a model's server that answers at once. Checks that no client loses or repeats an
// event, and measures the acknowledgement of `chat.send`, the memory of an idle client, and the effect of a client that
// does not read. Run with `node bench/wire-load.bench.mjs` after a build; `--short` has 100 clients and 5 seconds.
import { report, withGateway } from "./wire/bench-host.mjs";
import { connectClients, createSessions, runLoad, share } from "./wire/load.mjs";
import { connectClient } from "./wire/socket-client.mjs";

const isShort = process.argv.includes("--short");
const CLIENTS = isShort ? 100 : 1000;
const TURNS_PER_SECOND = isShort ? 50 : 200;
const SECONDS = isShort ? 5 : 60;
const LOAD = { turnsPerSecond: TURNS_PER_SECOND, seconds: SECONDS };
/** Time for the collection of garbage of clients that have just connected. */
const SETTLE_MS = isShort ? 500 : 3000;

await withGateway({ clients: CLIENTS }, async (gateway) => {
  const clients = await measureIdle(gateway);
  const alone = await measureLoad(clients, "all clients read");
  await measureSlow(gateway, clients, alone);
  for (const client of clients) client.close();
});

/** Connects the clients, each with a session that exists, and measures what one of them costs while it is idle. */
async function measureIdle(gateway) {
  await createSessions(gateway, CLIENTS);
  await wait(SETTLE_MS);
  const before = gateway.residentMb();
  const clients = await connectClients(gateway, CLIENTS);
  await wait(SETTLE_MS);
  const each = ((gateway.residentMb() - before) * 1e6) / 1024 / CLIENTS;
  report("idle client", "memory", each, { unit: "KiB", n: CLIENTS, goal: 64 });
  return clients;
}

async function measureLoad(clients, bench) {
  const { total, seconds, acknowledged, replied } = await runLoad(clients, LOAD);
  const options = { unit: "ms", n: total };
  const p99 = share(acknowledged, 0.99);
  report(bench, "turns", total / seconds, { unit: "1/s", better: "higher", n: total });
  report(bench, "chat.send acknowledged, p50", share(acknowledged, 0.5), options);
  report(bench, "chat.send acknowledged, p99", p99, { ...options, goal: 50 });
  report(bench, "reply, p99", share(replied, 0.99), options);
  // A lost or repeated event makes the load fail.
  report(bench, "events lost or repeated", 0, { unit: "events", n: total, goal: 0 });
  return p99;
}

/** The same load with a client that subscribes to every session and does not read. */
async function measureSlow(gateway, clients, alone) {
  const slow = await connectClient(gateway, { subscribe: ["*"] });
  slow.pause();
  const before = gateway.residentMb();
  const beside = await measureLoad(clients, "one client does not read");
  report("one client does not read", "change of the p99", beside - alone, {
    ...{ unit: "ms", n: TURNS_PER_SECOND * SECONDS, goal: 5 },
  });
  const grown = Math.max(0, gateway.residentMb() - before);
  report("one client does not read", "growth of the gateway", grown, { unit: "MB", n: 1 });
  slow.resume();
  // A short run does not fill the buffers of the network.
  if (!isShort) await slow.closed();
  else slow.close();
}

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
