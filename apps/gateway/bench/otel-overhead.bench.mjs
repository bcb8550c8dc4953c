// Measures what the extension `otel` adds to the work of a turn: the processor time of the main thread per turn of a gateway
// with it, divided by that of the same gateway without it. Rounds alternate between the gateways, so that what else
// the machine does affects all of them. Run with `node bench/otel-overhead.bench.mjs` after a build; `--short` has fewer
// rounds.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { load, turnsOf } from "./wire/client.mjs";
import { startGateway } from "./wire/gateway.mjs";
import { startProvider } from "./wire/provider.mjs";

const CALLERS = 8;
const WARM_UP_TURNS = 1000;
const TURNS_PER_ROUND = 500;
const ROUNDS = process.argv.includes("--short") ? 3 : 6;
/** At most this part of a turn. */
const GOAL = 1.03;
const EXTENSION = join(import.meta.dirname, "../../../extensions/otel");
/** A port without a server. */
const UNREACHABLE = "http://127.0.0.1:9";

const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
const folder = mkdtempSync(join(tmpdir(), "openclaw-otel-bench-"));
const provider = await startProvider();
const collector = await startCollector();
const gateways = [];
try {
  const without = await openGateway("without", undefined);
  const reachable = await openGateway("reachable", { endpoint: collector.url });
  const unreachable = await openGateway("unreachable", { endpoint: UNREACHABLE });
  for (const gateway of gateways) await load(WARM_UP_TURNS, CALLERS, gateway.ask);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const gateway of gateways) await measureRound(gateway);
  }
  if (collector.requests() === 0) throw new Error("the collector received no spans");
  const options = { unit: "ms", n: ROUNDS * TURNS_PER_ROUND };
  report("without otel", "CPU of the main thread per turn", median(without.times), options);
  for (const [bench, { times }] of [
    ["otel, collector responds", reachable],
    ["otel, collector unreachable", unreachable],
  ]) {
    report(bench, "CPU of the main thread per turn", median(times), options);
    const ratios = times.map((time, index) => time / without.times[index]);
    report(bench, "ratio to a turn without otel", median(ratios), {
      ...options,
      unit: "x",
      goal: GOAL,
    });
  }
} finally {
  for (const { gateway } of gateways) await gateway.stop();
  await provider.close();
  await collector.close();
  rmSync(folder, { recursive: true, force: true });
}

async function openGateway(name, config) {
  const plugins =
    config === undefined
      ? {}
      : { load: { paths: [EXTENSION] }, entries: { otel: { enabled: true, config } } };
  const gateway = await startGateway(join(folder, name), {
    durability: "process",
    providerUrl: provider.url,
    configuration: {
      plugins,
      gateway: { limits: { requestsPerMinute: 0, chatSendsPerMinute: 0 } },
    },
  });
  const opened = { gateway, ask: turnsOf(gateway), times: [] };
  gateways.push(opened);
  return opened;
}

async function measureRound({ gateway, ask, times }) {
  const before = gateway.cpuMs().main;
  await load(TURNS_PER_ROUND, CALLERS, ask);
  times.push((gateway.cpuMs().main - before) / TURNS_PER_ROUND);
}

/** A collector that accepts every batch. */
async function startCollector() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    request.once("end", () => response.setHeader("content-type", "application/json").end("{}"));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function report(bench, metric, value, { goal, ...more }) {
  const result = { bench, metric, value: Number(value.toPrecision(4)), ...more };
  if (goal !== undefined) result.goal = goal;
  console.log(JSON.stringify({ package: "openclaw", ...result, better: "lower", machine }));
}
