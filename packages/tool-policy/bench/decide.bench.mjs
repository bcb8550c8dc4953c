import { performance } from "node:perf_hooks";
import { compilePolicy } from "../dist/index.js";

const LAYERS = ["profile", "provider", "global", "agent", "group", "sandbox", "subagent"];
const RULES = 1_000;
const TOOLS = 256;
const CALLS = 400_000;
/** Measured on a virtual machine with two cores, Node 24; twice that fails. */
const RECORDED_RATIO = 4.6;

/** Linear congruential generator: the same rules on every run. */
let seed = 42;
function random(limit) {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return Math.floor((seed / 4_294_967_296) * limit);
}

function entry() {
  const kind = random(20);
  if (kind < 12) return `tool_${random(2_000)}`;
  if (kind < 15) return `tool_${random(200)}*`;
  if (kind < 17) return `*_${random(1_000)}`;
  if (kind < 19) return `plugin:plugin_${random(100)}`;
  return "group:fs";
}

function layers() {
  const made = LAYERS.map((layer) => ({ layer, allow: ["*"], deny: [] }));
  for (let rule = made.length; rule < RULES; rule += 1) {
    const target = made[rule % made.length];
    (random(2) === 0 ? target.deny : target.allow).push(entry());
  }
  return made;
}

const tools = Array.from({ length: TOOLS }, (_, index) => ({
  name: `tool_${index * 7}`,
  pluginId: `plugin_${index % 50}`,
  origin: "plugin",
  optional: false,
  aliases: [],
}));
const contexts = Array.from({ length: 8 }, (_, index) => ({
  agentId: `agent_${index}`,
  provider: "anthropic",
  model: "large",
  channel: "telegram",
  groupId: "-1001234567",
  senderId: "987654321",
  senderIsOwner: false,
  sandboxed: true,
  subagentDepth: 1,
}));

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Times single calls; the cost of reading the clock is part of every sample. */
function sample(count, call) {
  const nanoseconds = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const start = process.hrtime.bigint();
    call(index);
    nanoseconds[index] = Number(process.hrtime.bigint() - start);
  }
  return nanoseconds.sort();
}

function perCall(count, call) {
  const start = performance.now();
  for (let index = 0; index < count; index += 1) call(index);
  return ((performance.now() - start) * 1e6) / count;
}

function report(bench, metric, value, unit, n, bounds = {}) {
  const line = {
    package: "tool-policy",
    bench,
    metric,
    value,
    unit,
    n,
    ...bounds,
    better: "lower",
  };
  console.log(JSON.stringify(line));
}

const definition = layers();
const policy = compilePolicy(definition);
let kept = 0;
const decide = (index) => {
  if (policy.decide(tools[index % TOOLS], contexts[(index >> 8) % contexts.length]).allowed)
    kept += 1;
};
perCall(CALLS, decide);
const times = sample(CALLS, decide);
report("decide", "median", quantile(times, 0.5) / 1e3, "µs", CALLS, { goal: 0.2, floor: 1 });
report("decide", "p99", quantile(times, 0.99) / 1e3, "µs", CALLS, { goal: 1, floor: 10 });

const names = new Set(tools.map((tool) => tool.name));
const lookUp = (index) => {
  if (names.has(tools[index % TOOLS].name)) kept += 1;
};
perCall(CALLS, lookUp);
const ratios = Array.from({ length: 9 }, () => perCall(CALLS, decide) / perCall(CALLS, lookUp));
ratios.sort((left, right) => left - right);
report("decide", "ratio to a Set lookup", quantile(ratios, 0.5), "x", CALLS * ratios.length, {
  goal: RECORDED_RATIO,
  floor: 2 * RECORDED_RATIO,
});

const unseen = sample(20_000, (index) => {
  const tool = tools[index % TOOLS];
  if (policy.decide(tool, { ...contexts[0], senderId: `sender_${index}` }).allowed) kept += 1;
});
report("decide, not remembered", "median", quantile(unseen, 0.5) / 1e3, "µs", 20_000);
report("decide, not remembered", "p99", quantile(unseen, 0.99) / 1e3, "µs", 20_000);

const compilations = Array.from({ length: 50 }, () => {
  const fresh = structuredClone(definition);
  const start = performance.now();
  compilePolicy(fresh);
  return performance.now() - start;
}).sort((a, b) => a - b);
report("compile", "median", quantile(compilations, 0.5), "ms", 50, { goal: 5, floor: 20 });
report("compile", "max", quantile(compilations, 1), "ms", 50);

const explanations = sample(2_000, (index) => {
  if (policy.explain(tools[index % TOOLS], contexts[0]).allowed) kept += 1;
});
report("explain", "median", quantile(explanations, 0.5) / 1e3, "µs", 2_000);
if (kept === 0)
  throw new Error("the benchmark admitted nothing; its rules no longer mean anything");
