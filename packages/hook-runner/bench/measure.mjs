// Measures one case in this process, alternating between a contender and its floor, and prints
// { ratio, nanoseconds, floorNanoseconds, n } as JSON; `null` if the contender has no such dispatch.
// usage: node bench/measure.mjs <case> [contender] [batches] [entry of the package]
import { performance } from "node:perf_hooks";
import { argv } from "node:process";
import { caseNamed } from "./cases.mjs";
import { CONTENDERS } from "./contenders.mjs";
import { calls, createHandlers } from "./handlers.mjs";
import { createHookRunnerDispatch } from "./hook-runner-dispatch.mjs";
import { isolated } from "./isolated.mjs";

const BATCH_MS = 4;
const WARM_UP_BATCHES = 50;

const [, , caseName, contender = "hook-runner", batches = "100", entry] = argv;
const BATCHES = Number(batches);
const each = caseNamed(caseName);
const event = { toolName: "read", params: { path: "notes.md", depth: 2, follow: false } };
const context = { agentId: "main", sessionKey: "agent:main:main", channelId: "cli" };

const subject = await CONTENDERS[contender](each, { entry });
const floor =
  each.against !== undefined
    ? CONTENDERS[each.against](each)
    : each.without === undefined
      ? createFloor(each)
      : await createHookRunnerDispatch(each, { entry, without: each.without });
console.log(JSON.stringify(subject === null ? null : await compare(subject, floor)));

/** Runs the plain loop over its own handlers, without any guarantee; with `isolates` each gets its own arguments. */
function createFloor({ style, handlers: count, isolates = false, ...rest }) {
  const plain = createHandlers(count, rest);
  const handlers = isolates ? plain.map(isolated) : plain;
  if (style === "parallel") {
    return (event, context) => Promise.all(handlers.map((handler) => handler(event, context)));
  }
  if (style === "sync") {
    return (event, context) => {
      for (const handler of handlers) handler(event, context);
    };
  }
  return async (event, context) => {
    for (const handler of handlers) await handler(event, context);
  };
}

/**
 * Noise only makes a batch slower, so the fastest batch of each is closest to the true cost. They
 * alternate, so that both have quiet moments of the machine.
 */
async function compare(subject, floor) {
  const before = calls.count;
  const batch = each.style === "sync" ? syncBatch : asyncBatch;
  const counts = [];
  for (const dispatch of [subject, floor]) {
    let count = 16;
    for (let round = 0; round < WARM_UP_BATCHES; round += 1) {
      const ms = await batch(dispatch, count);
      count = Math.max(16, Math.round((count * BATCH_MS) / Math.max(ms, 0.01)));
    }
    counts.push(count);
  }
  const [subjectCount, floorCount] = counts;
  let nanoseconds = Infinity;
  let floorNanoseconds = Infinity;
  for (let round = 0; round < BATCHES; round += 1) {
    const taken = (await batch(subject, subjectCount)) / subjectCount;
    const floorTaken = (await batch(floor, floorCount)) / floorCount;
    nanoseconds = Math.min(nanoseconds, taken * 1e6);
    floorNanoseconds = Math.min(floorNanoseconds, floorTaken * 1e6);
  }
  if (each.handlers > 0 && calls.count === before) throw new Error("no handler was called");
  const ratio = nanoseconds / floorNanoseconds;
  return { ratio, nanoseconds, floorNanoseconds, n: subjectCount * BATCHES };
}

async function asyncBatch(dispatch, count) {
  const start = performance.now();
  for (let index = 0; index < count; index += 1) await dispatch(event, context);
  return performance.now() - start;
}

function syncBatch(dispatch, count) {
  const start = performance.now();
  for (let index = 0; index < count; index += 1) dispatch(event, context);
  return performance.now() - start;
}
