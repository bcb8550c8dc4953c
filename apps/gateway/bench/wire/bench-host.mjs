// The gateway and the model's server of a benchmark, and the form of its results.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { startGateway } from "./gateway.mjs";
import { startProvider } from "./provider.mjs";

const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;

/**
 * Runs a benchmark with a gateway that accepts any number of calls of its clients, and stops it.
 * @param options - number of clients, and further options of the gateway
 * @param work - measures the gateway
 */
export async function withGateway({ clients = 0, ...options }, work) {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-wire-bench-"));
  const provider = await startProvider();
  const limits = { connections: clients + 100, connectionsPerAddress: clients + 100 };
  const gateway = await startGateway(folder, {
    durability: "power",
    providerUrl: provider.url,
    configuration: {
      gateway: { limits: { ...limits, requestsPerMinute: 0, chatSendsPerMinute: 0 } },
    },
    ...options,
  });
  try {
    await work(gateway);
  } finally {
    await gateway.stop();
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Sends requests at an interval while work runs.
 * @param gateway - URL and token
 * @param probe - interval in milliseconds, and requests with name, path and body
 * @param work - runs at the same time
 * @returns result of the work, and milliseconds of the requests by name
 */
export async function probing({ url, token }, probe, work) {
  const worker = new Worker(new URL("./request-probe.mjs", import.meta.url), {
    workerData: { url, token, ...probe },
  });
  const result = await work();
  worker.postMessage("end");
  const [times] = await once(worker, "message");
  return { result, times };
}

/**
 * Prints a figure.
 * @param bench - name of the benchmark
 * @param metric - name of the figure
 * @param value - figure
 * @param options - unit, number of measurements, goal, and whether higher is better
 */
export function report(bench, metric, value, { better = "lower", goal, ...more }) {
  const result = { bench, metric, value: Number(value.toPrecision(4)), ...more, better };
  if (goal !== undefined) result.goal = goal;
  console.log(JSON.stringify({ package: "openclaw", ...result, machine }));
}
