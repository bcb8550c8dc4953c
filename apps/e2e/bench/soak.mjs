// Runs a gateway for long at 30 % of its load (SCALE-032): turns with and without a tool over HTTP, messages of Telegram
// against a server in its place, jobs, a plugin that is reloaded every ten minutes, six times at least, a kill in the first
// sixth and a clock that jumps two hours and back. Measures what it holds: its heap after a collection of garbage, files and timers.
// Fails for a lost or doubled answer, a logged error, or a heap, files or timers that grow. Run with
// `node apps/e2e/bench/soak.mjs --minutes 20` after a build; `--record` keeps the figures as `pnpm bench --record` does, `--samples FILE` every sample.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createGatewayClient } from "@openclaw/client";
import { startTelegramServer } from "@openclaw/platform-fakes";
import { databaseBytes, loggedErrors, startGateway } from "./soak/gateway.mjs";
import { startModel } from "./soak/model.mjs";
import { recordFigures } from "./soak/record.mjs";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    record: { type: "boolean", default: false },
    samples: { type: "string" },
  },
});
/** A release check gives the time in OPENCLAW_FUZZ_MS. */
const MINUTES = Number(
  values.minutes ?? Number(process.env.OPENCLAW_FUZZ_MS ?? 1_200_000) / 60_000,
);
const SHARE_OF_LOAD = 0.3;
const BUSIEST_CALLERS = 8;
const BUSIEST_MS = 10_000;
/** A conversation has so many turns, then another one begins. */
const TURNS_OF_SESSION = 20;
const TELEGRAM_EVERY_MS = 2_000;
const JOB_EVERY_MS = 15_000;
const SAMPLE_EVERY_MS = 10_000;
const JUMP_MS = 2 * 3_600_000;
const MOST_BETWEEN_RELOADS_MS = 600_000;
/** A plugin with a hook that every turn calls. */
const PLUGIN = `export default {
  id: "soak",
  register(api) {
    api.on("before_prompt_build", () => ({ appendContext: "A note of the soak." }));
  },
};
`;
const GOALS = { heapMbPerHour: 1, descriptors: 2, timers: 5 };

const folder = mkdtempSync(join(tmpdir(), "openclaw-soak-"));
const model = await startModel();
const telegram = await startTelegramServer();
mkdirSync(join(folder, "soak"));
writeFileSync(join(folder, "soak/soak.mjs"), PLUGIN);
const configuration = {
  plugins: { load: { paths: [join(folder, "soak/soak.mjs")] } },
  channels: { telegram: { botToken: telegram.token, apiRoot: telegram.url, dmPolicy: "open" } },
  gateway: { limits: { requestsPerMinute: 0, chatSendsPerMinute: 0, connectionsPerAddress: 2000 } },
};
let gateway = await startGateway(folder, configuration, model.url);
const counts = { turns: 0, retried: 0, jobs: 0, telegram: 0, reloads: 0, kills: 0, jumps: 0 };
const failures = [];
let isDown = false;

try {
  const busiest = await busiestRate();
  const begun = performance.now();
  const end = begun + MINUTES * 60_000;
  const sixth = (MINUTES * 60_000) / 6;
  const samples = [];
  const running = [
    turns(busiest * SHARE_OF_LOAD, end),
    every(TELEGRAM_EVERY_MS, end, writeOnTelegram),
    every(JOB_EVERY_MS, end, createJob),
    at(begun + sixth / 4, () => reload("telegram")),
    every(Math.min(sixth, MOST_BETWEEN_RELOADS_MS), end, () => reload("soak")),
    at(begun + sixth / 2, kill),
    at(begun + 3.5 * sixth, () => jump(JUMP_MS)),
    at(begun + 4.5 * sixth, () => jump(0)),
    // What a process keeps after its start is not growth.
    every(SAMPLE_EVERY_MS, end, async () => {
      if (performance.now() < begun + sixth * 1.5) return;
      samples.push({
        at: performance.now(),
        bytes: databaseBytes(folder),
        ...(await gateway.sample()),
      });
    }),
  ];
  await Promise.all(running);
  await answered();
  await gateway.stop();
  failures.push(...(await loggedErrors(folder)).map((line) => `logged: ${line}`));
  finish(busiest, samples);
} finally {
  telegram.dropPoll();
  await gateway.stop();
  await telegram.close();
  model.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Turns per second when callers do not wait between theirs. */
async function busiestRate() {
  const begun = performance.now();
  let number = 0;
  await Promise.all(
    Array.from({ length: BUSIEST_CALLERS }, async (_, caller) => {
      while (performance.now() < begun + BUSIEST_MS) {
        await turn(`busiest-${caller}`, number);
        number += 1;
      }
    }),
  );
  return number / ((performance.now() - begun) / 1000);
}

/** Turns at even intervals, whether or not the ones before have ended. */
async function turns(perSecond, end) {
  const begun = performance.now();
  const open = new Set();
  for (let number = 0; ; number += 1) {
    const due = begun + (number * 1000) / perSecond;
    if (due > end) break;
    const early = due - performance.now();
    if (early > 1) await wait(early);
    const one = turn(`soak-${Math.floor(number / TURNS_OF_SESSION)}`, number).catch((error) =>
      failures.push(`turn ${number}: ${error.message}`),
    );
    open.add(one);
    void one.then(() => open.delete(one));
  }
  await Promise.all(open);
}

/** A turn over HTTP; while the gateway is down it is sent again with the same key. */
async function turn(user, number) {
  const text = number % 5 === 0 ? `what time is it, question ${number}?` : `question ${number}?`;
  for (;;) {
    try {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${gateway.token}`,
          "content-type": "application/json",
          "idempotency-key": `${user}-${number}`,
        },
        body: JSON.stringify({
          model: "openclaw",
          user,
          messages: [{ role: "user", content: text }],
        }),
      });
      const answer = await response.text();
      if (!response.ok) throw new Error(`status ${response.status}: ${answer}`);
      if (!answer.includes(`You said: ${text}`)) throw new Error(`another answer: ${answer}`);
      counts.turns += 1;
      return;
    } catch (error) {
      if (!isDown) throw error;
      counts.retried += 1;
      await wait(500);
    }
  }
}

function writeOnTelegram() {
  counts.telegram += 1;
  telegram.write({ text: `message ${counts.telegram}.` });
}

async function createJob() {
  if (isDown) return;
  counts.jobs += 1;
  await createGatewayClient(gateway).call("jobs.create", { title: `job ${counts.jobs}` });
}

async function reload(id) {
  if (isDown) return;
  counts.reloads += 1;
  await createGatewayClient(gateway).call("plugins.reload", { id });
}

async function kill() {
  counts.kills += 1;
  isDown = true;
  await gateway.kill();
  gateway = await startGateway(folder, configuration, model.url);
  // What was sent to the gateway before has failed by then.
  await wait(2_000);
  isDown = false;
}

function jump(ms) {
  counts.jumps += 1;
  gateway.jump(ms);
}

/** Each message of Telegram has one answer, and no job is left. */
async function answered() {
  const deadline = performance.now() + 60_000;
  const expected = Array.from(
    { length: counts.telegram },
    (_, index) => `You said: message ${index + 1}.`,
  );
  const missing = () =>
    expected.filter((text) => !telegram.sent.some((sent) => sent.text.includes(text)));
  while (missing().length > 0 && performance.now() < deadline) await wait(200);
  for (const text of missing()) failures.push(`lost: ${text}`);
  for (const text of expected) {
    const found = telegram.sent.filter((sent) => sent.text.includes(text)).length;
    if (found > 1) failures.push(`${found} times: ${text}`);
  }
  const { jobs } = await createGatewayClient(gateway).call("jobs.list", {});
  for (const { title, state } of jobs) {
    if (["failed", "stuck"].includes(state)) failures.push(`${title} is ${state}`);
  }
}

function finish(busiest, samples) {
  const n = samples.length;
  const growth = (name) =>
    median(samples.slice(-n / 3), name) - median(samples.slice(0, n / 3), name);
  const heap = slopePerHour(samples, "heapUsed") / 2 ** 20;
  const lower = (value, unit, goal) => ({
    value,
    unit,
    n,
    better: "lower",
    ...(goal !== undefined && { goal }),
  });
  const counted = (value, unit, goal) => ({
    value,
    unit,
    n: value,
    better: "higher",
    ...(goal !== undefined && { goal }),
  });
  const figures = {
    time: counted(MINUTES, "min"),
    turns: counted(counts.turns, "turns"),
    load: { ...counted(counts.turns / (MINUTES * 60), "1/s"), n: counts.turns },
    "share of the busiest rate": {
      ...counted((counts.turns / (MINUTES * 60) / busiest) * 100, "%"),
      n: counts.turns,
    },
    "messages of Telegram": counted(counts.telegram, "messages"),
    jobs: counted(counts.jobs, "jobs"),
    "reloads of a plugin": counted(counts.reloads, "reloads"),
    kills: counted(counts.kills, "kills"),
    "jumps of the clock": counted(counts.jumps, "jumps"),
    "lost, doubled or failed": lower(failures.length, "cases", 0),
    "growth of the heap": lower(heap, "MiB/h", GOALS.heapMbPerHour),
    "growth of files": lower(growth("descriptors"), "files", GOALS.descriptors),
    "growth of timers": lower(growth("timers"), "timers", GOALS.timers),
    "resident memory at the end": lower(median(samples.slice(-n / 3), "rss") / 1e6, "MB"),
    "growth of the database": lower(
      (samples.at(-1).bytes - samples[0].bytes) / counts.turns / 1024,
      "KiB a turn",
    ),
  };
  const results = Object.entries(figures).map(([metric, figure]) => ({
    ...{ package: "openclaw", bench: "soak", metric },
    ...figure,
    value: Number(figure.value.toPrecision(4)),
  }));
  for (const result of results) console.log(JSON.stringify(result));
  for (const failure of failures.slice(0, 20)) console.error(failure);
  if (values.samples)
    writeFileSync(values.samples, samples.map((sample) => JSON.stringify(sample)).join("\n"));
  if (values.record) recordFigures("soak", results);
  const isMissed = results.some(
    ({ value, goal, better }) => goal !== undefined && better === "lower" && value > goal,
  );
  process.exitCode = isMissed ? 1 : 0;
}

/** Slope of a value by least squares. */
function slopePerHour(samples, name) {
  const mean = (of) => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, value] = [mean((sample) => sample.at), mean((sample) => sample[name])];
  const shared = mean((sample) => (sample.at - at) * (sample[name] - value));
  return (shared / mean((sample) => (sample.at - at) ** 2)) * 3_600_000;
}

function median(samples, name) {
  const sorted = samples.map((sample) => sample[name]).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

async function every(ms, end, work) {
  for (let due = performance.now() + ms; due < end; due += ms) {
    await wait(Math.max(0, due - performance.now()));
    await work();
  }
}

async function at(time, work) {
  await wait(Math.max(0, time - performance.now()));
  await work();
}
