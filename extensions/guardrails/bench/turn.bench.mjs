/**
 * Time that the eight guards together add to a turn with the demo model, from a message of a channel to its answer. Turns
 * with and without them alternate, so that other work of the machine hits both. The processor time includes what the
 * guards write behind the turn.
 */
import { cpuUsage, env } from "node:process";
import { fileURLToPath } from "node:url";
import { createTestHost } from "@openclaw/plugin-testkit";

const TURNS = Number(env.OPENCLAW_BENCH_TURNS ?? 1000);
const WARM_UP = 100;
const TEXT =
  "Could you compare the two offers that arrived yesterday, and tell me which of them includes the installation? " +
  "The second one has a delivery time of six weeks, order 4532015112830367, and I would like to decide by Friday.";

const ALL = {
  profanity_filter: true,
  rate_limit_guard: { max: 100_000 },
  sensitive_data_redactor: true,
  audit_logger: true,
  input_validator: true,
  response_formatter: { signature: "Claw" },
  cost_tracker: true,
  notification_forwarder: true,
};
const plugin = fileURLToPath(new URL("..", import.meta.url));
// As a channel: without a receiver the reply would be read from the outcome, and the host would not send it.
const surface = { send: async () => ({}) };
const hosts = {
  without: await createTestHost({ plugin, surface }),
  with: await createTestHost({ plugin, surface, pluginConfig: ALL }),
};

const measured = { without: [], with: [] };
for (let turn = 0; turn < WARM_UP + TURNS; turn += 1) {
  const order = turn % 2 === 0 ? ["without", "with"] : ["with", "without"];
  for (const name of order) {
    const time = await timed(() =>
      hosts[name].receive({
        channel: "bench",
        senderId: "guest",
        senderIsOwner: false,
        conversationId: `chat-${turn}`,
        text: `${TEXT} ${turn}`,
      }),
    );
    if (turn >= WARM_UP) measured[name].push(time);
  }
}
for (const host of Object.values(hosts)) await host.dispose();

const added = {
  package: "guardrails",
  bench: "all eight guards on",
  unit: "ms",
  n: TURNS,
  better: "lower",
};
report({ ...added, metric: "added to a turn p50", value: difference(median, "wall"), goal: 1 });
report({ ...added, metric: "added processor time mean", value: difference(mean, "processor") });
report({ ...added, metric: "turn without guards p50", value: median("without", "wall") });
report({
  ...added,
  metric: "processor time of a turn without guards mean",
  value: mean("without", "processor"),
});

async function timed(work) {
  const processor = cpuUsage();
  const start = performance.now();
  await work();
  const wall = performance.now() - start;
  const { user, system } = cpuUsage(processor);
  return { wall, processor: (user + system) / 1000 };
}

function difference(summary, kind) {
  return summary("with", kind) - summary("without", kind);
}

function median(name, kind) {
  const sorted = measured[name].map((time) => time[kind]).sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Mean without the largest hundredth, in which the collector of the other host ran. */
function mean(name, kind) {
  const sorted = measured[name].map((time) => time[kind]).sort((left, right) => left - right);
  const kept = sorted.slice(0, Math.ceil(sorted.length * 0.99));
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

function report(result) {
  process.stdout.write(
    `${JSON.stringify({ ...result, value: Number(result.value.toFixed(3)) })}\n`,
  );
}
