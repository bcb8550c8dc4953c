/**
 * Time that the eight guards together add to a turn with the demo model: turns with and without them alternate, so that
 * other work of the machine hits both.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuUsage, env } from "node:process";
import { fileURLToPath } from "node:url";
import { createTestHost } from "@openclaw/plugin-testkit";

const TURNS = Number(env.OPENCLAW_BENCH_TURNS ?? 300);
const WARM_UP = 50;
const TEXT =
  "Could you compare the two offers that arrived yesterday, and tell me which of them includes the installation? " +
  "The second one has a delivery time of six weeks, order 4532015112830367, and I would like to decide by Friday.";
const folder = mkdtempSync(join(tmpdir(), "openclaw-guards-bench-"));

const ALL = {
  profanity_filter: true,
  rate_limit_guard: { max: 100_000 },
  sensitive_data_redactor: true,
  audit_logger: { file: join(folder, "audit.jsonl") },
  input_validator: true,
  response_formatter: { signature: "Claw" },
  cost_tracker: true,
  notification_forwarder: true,
};
const plugin = fileURLToPath(new URL("..", import.meta.url));
const hosts = {
  without: await createTestHost({ plugin }),
  with: await createTestHost({ plugin, pluginConfig: ALL }),
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
rmSync(folder, { recursive: true, force: true });

const added = {
  package: "guardrails",
  bench: "all eight guards on",
  unit: "ms",
  n: TURNS,
  better: "lower",
};
report({ ...added, metric: "added to a turn p50", value: difference("wall"), goal: 1 });
report({ ...added, metric: "added processor time p50", value: difference("processor") });
report({ ...added, metric: "turn without guards p50", value: median("without", "wall") });

async function timed(work) {
  const processor = cpuUsage();
  const start = performance.now();
  await work();
  const wall = performance.now() - start;
  const { user, system } = cpuUsage(processor);
  return { wall, processor: (user + system) / 1000 };
}

function difference(kind) {
  return median("with", kind) - median("without", kind);
}

function median(name, kind) {
  const sorted = measured[name].map((time) => time[kind]).sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

function report(result) {
  process.stdout.write(
    `${JSON.stringify({ ...result, value: Number(result.value.toFixed(3)) })}\n`,
  );
}
