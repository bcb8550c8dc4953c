// Measures what a turn costs over HTTP on both sides: a client, `/v1/chat/completions` of a gateway with every
// bundled extension, and a model's server that answers at once. Client and server are this process; the gateway is
// a process of its own. The floor is the same client against the same server without a gateway between them. Run with
// `node bench/wire-turn.bench.mjs` after a build; `--short` leaves out the memory over many turns, and `--check` measures
// only the turns in units of the floor and fails when they are a tenth slower than bench/recorded/wire-turn.json says.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, load, messagesOf, turnsOf } from "./wire/client.mjs";
import { startGateway } from "./wire/gateway.mjs";
import { startProvider } from "./wire/provider.mjs";
import { RATIO, regressions } from "./wire/regression.ts";

const CALLERS = 8;
const HARNESS_REQUESTS = 5000;
const WARM_UP_TURNS = 300;
const SINGLE_TURNS = 1000;
const CROWD_TURNS = 2000;
const MEMORY_AFTER = [6000, 10_000, 15_000, 20_000];
const STARTS = 11;
const IDLE_MS = 3000;
/** A busy machine is given this many chances to show that turns are as quick as they were. */
const CHECKS = 3;

const flags = process.argv.slice(2);
const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
const folder = mkdtempSync(join(tmpdir(), "openclaw-wire-turn-bench-"));
const provider = await startProvider();
try {
  if (flags.includes("--check")) {
    await check();
  } else {
    for (const durability of ["power", "process"]) await measureTurns(durability);
    if (!flags.includes("--short")) await measureMemory();
    await measureStart();
  }
} finally {
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Compares the turns of this machine with the recorded ones, as a ratio to the floor of the same run. */
async function check() {
  const file = new URL("recorded/wire-turn.json", import.meta.url);
  const { results } = JSON.parse(readFileSync(file, "utf8"));
  let slower = [];
  for (let tried = 0; tried < CHECKS; tried += 1) {
    const measured = [];
    for (const durability of ["power", "process"]) {
      measured.push(await ratioOf(durability, join(folder, `${durability}-${tried}`)));
    }
    for (const { bench, value } of measured) console.log(`${bench}: ${value} of the floor`);
    slower = regressions(measured, results);
    if (slower.length === 0) return;
  }
  console.error(
    `\nTurns over HTTP are slower than recorded:\n${slower.map((each) => `  ${each}\n`).join("")}` +
      "Find the change that did it, or record again with the reason in the commit: pnpm bench --record wire-turn",
  );
  process.exitCode = 1;
}

/** Rate of several turns at once, in units of the floor right before and after them. */
async function ratioOf(durability, place) {
  const before = await harnessRate();
  const gateway = await startGateway(place, { durability, providerUrl: provider.url });
  try {
    const ask = turnsOf(gateway);
    await load(WARM_UP_TURNS, CALLERS, ask);
    const { seconds } = await load(CROWD_TURNS, CALLERS, ask);
    const floor = (before + (await harnessRate())) / 2;
    const value = Number((CROWD_TURNS / seconds / floor).toPrecision(4));
    return { bench: crowdOf(durability), metric: RATIO, value };
  } finally {
    await gateway.stop();
  }
}

function crowdOf(durability) {
  return `${CALLERS} turns at once, durability ${durability}`;
}

/** One turn after another, then several at once, and the floor right before and after them. */
async function measureTurns(durability) {
  const floors = [await harnessRate()];
  const gateway = await startGateway(join(folder, durability), {
    durability,
    providerUrl: provider.url,
  });
  const ask = turnsOf(gateway);
  try {
    await load(WARM_UP_TURNS, CALLERS, ask);
    const { times } = await load(SINGLE_TURNS, 1, ask);
    const single = `one turn after another, durability ${durability}`;
    const goal = durability === "power" ? 3 : undefined;
    report(single, "p50", share(times, 0.5), { unit: "ms", n: SINGLE_TURNS, goal });
    report(single, "p99", share(times, 0.99), { unit: "ms", n: SINGLE_TURNS });

    const messages = messagesOf(gateway);
    await load(WARM_UP_TURNS, CALLERS, messages);
    const ofMessages = await load(SINGLE_TURNS, 1, messages);
    const again = await load(SINGLE_TURNS, 1, ask);
    const completion = (share(times, 0.5) + share(again.times, 0.5)) / 2;
    const ratioToCompletion = share(ofMessages.times, 0.5) / completion;
    const bare = { unit: "x", n: SINGLE_TURNS, goal: 1.1 };
    report(single, "p50 of the Messages API, ratio to a completion", ratioToCompletion, bare);

    const before = gateway.cpuMs();
    const crowd = await load(CROWD_TURNS, CALLERS, ask);
    const after = gateway.cpuMs();
    floors.push(await harnessRate());
    const floor = floors.reduce((sum, rate) => sum + rate, 0) / floors.length;
    const bench = crowdOf(durability);
    const rate = CROWD_TURNS / crowd.seconds;
    const higher = { unit: "1/s", better: "higher", n: CROWD_TURNS };
    report(bench, "turns", rate, { ...higher, floor, goal: durability === "power" ? 450 : 500 });
    const ratio = { unit: "x", better: "higher", n: CROWD_TURNS };
    report(bench, RATIO, rate / floor, {
      ...ratio,
      goal: durability === "power" ? 0.08 : undefined,
    });
    const perTurn = { unit: "ms", n: CROWD_TURNS };
    const main = (after.main - before.main) / CROWD_TURNS;
    report(bench, "CPU of the main thread per turn", main, { ...perTurn, goal: 2 });
    report(bench, "CPU per turn", (after.all - before.all) / CROWD_TURNS, perTurn);
  } finally {
    await gateway.stop();
  }
}

/** Resident memory of one gateway after more and more turns. */
async function measureMemory() {
  const gateway = await startGateway(join(folder, "memory"), {
    durability: "process",
    providerUrl: provider.url,
  });
  const ask = turnsOf(gateway);
  try {
    let done = 0;
    for (const turns of MEMORY_AFTER) {
      await load(turns - done, CALLERS, (index) => ask(done + index));
      done = turns;
      const metric = `resident after ${turns} turns`;
      report("memory", metric, gateway.residentMb(), { unit: "MB", n: 1, goal: 250 });
    }
  } finally {
    await gateway.stop();
  }
}

/** Starts on a state folder that exists, and the memory of a gateway without requests. */
async function measureStart() {
  const options = { durability: "power", providerUrl: provider.url };
  const place = join(folder, "start");
  await (await startGateway(place, options)).stop();
  const ready = [];
  for (let start = 0; start < STARTS; start += 1) {
    const gateway = await startGateway(place, options);
    ready.push(gateway.readyMs / 1000);
    if (start === STARTS - 1) {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      report("idle", "resident memory", gateway.residentMb(), { unit: "MB", n: 1, goal: 100 });
    }
    await gateway.stop();
  }
  report("start", "to ready, median", share(ready, 0.5), { unit: "s", n: STARTS, goal: 0.3 });
}

async function harnessRate() {
  const post = createClient(provider.url);
  const body = { model: "model", stream: true, messages: [{ role: "user", content: "Hello?" }] };
  await load(500, CALLERS, () => post(body));
  const { seconds } = await load(HARNESS_REQUESTS, CALLERS, () => post(body));
  return HARNESS_REQUESTS / seconds;
}

function share(values, part) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(part * (sorted.length - 1))];
}

function report(bench, metric, value, { better = "lower", floor, goal, ...more }) {
  const result = { bench, metric, value: Number(value.toPrecision(4)), ...more, better };
  if (floor !== undefined) result.floor = Math.round(floor);
  if (goal !== undefined) result.goal = goal;
  console.log(JSON.stringify({ package: "openclaw", ...result, machine }));
}
