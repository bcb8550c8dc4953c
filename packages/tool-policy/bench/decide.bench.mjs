// Measures decisions over 1000 rules on seven layers, and the compilation of these rules.
// usage: node bench/decide.bench.mjs             prints one JSON object a line
//        node bench/decide.bench.mjs --check     fails when the ratio to a Set lookup is twice the recorded one
// --recorded URL compares with another record than recorded/decide.json.
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { compilePolicy } from "../dist/index.js";

const LAYERS = ["profile", "provider", "global", "agent", "group", "sandbox", "subagent"];
const RULES = 1_000;
const TOOLS = 256;
const CALLS = 400_000;
const RATIO = "ratio to a Set lookup";
/** Times the recorded ratio. */
const MAX_SLOWDOWN = 2;

const { values: options } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    recorded: { type: "string", default: new URL("recorded/decide.json", import.meta.url).href },
  },
});

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

function report(bench, metric, value, unit, n, goal) {
  const line = {
    package: "tool-policy",
    bench,
    metric,
    value,
    unit,
    n,
    goal,
    better: "lower",
  };
  console.log(JSON.stringify(line));
}

/** Returns whether a ratio is at most twice the recorded one, and prints both. */
function check(measured) {
  const { results } = JSON.parse(readFileSync(new URL(options.recorded), "utf8"));
  const recorded = results.find(({ metric }) => metric === RATIO).value;
  const allowed = recorded * MAX_SLOWDOWN;
  const isFast = measured <= allowed;
  const found = [measured, recorded, allowed].map((value) => value.toPrecision(3));
  console.log(
    `${isFast ? "ok    " : "SLOWER"} ${RATIO}: ${found[0]}, recorded ${found[1]}, allowed ${found[2]}`,
  );
  return isFast;
}

const definition = layers();
const policy = compilePolicy(definition);
let kept = 0;
const decide = (index) => {
  if (policy.decide(tools[index % TOOLS], contexts[(index >> 8) % contexts.length]).allowed)
    kept += 1;
};
const names = new Set(tools.map((tool) => tool.name));
const lookUp = (index) => {
  if (names.has(tools[index % TOOLS].name)) kept += 1;
};
perCall(CALLS, decide);
perCall(CALLS, lookUp);
const ratios = Array.from({ length: 9 }, () => perCall(CALLS, decide) / perCall(CALLS, lookUp));
ratios.sort((left, right) => left - right);
const ratio = quantile(ratios, 0.5);
if (options.check) process.exit(check(ratio) ? 0 : 1);
report("decide", RATIO, ratio, "x", CALLS * ratios.length);

const times = sample(CALLS, decide);
report("decide", "median", quantile(times, 0.5) / 1e3, "µs", CALLS, 1);
report("decide", "p99", quantile(times, 0.99) / 1e3, "µs", CALLS, 10);

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
report("compile", "median", quantile(compilations, 0.5), "ms", 50, 20);
report("compile", "max", quantile(compilations, 1), "ms", 50);

const explanations = sample(2_000, (index) => {
  if (policy.explain(tools[index % TOOLS], contexts[0]).allowed) kept += 1;
});
report("explain", "median", quantile(explanations, 0.5) / 1e3, "µs", 2_000);
if (kept === 0)
  throw new Error("the benchmark admitted nothing; its rules no longer mean anything");
