/**
 * Time of one call of a hook in an isolated plugin, the memory of ten such plugins, and the time in which one that spins is
 * noticed and ended; `floor` is a plugin in the process.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createTestHost } from "../dist/index.js";

const CALLS = 3_000;
const PLUGINS = 10;
/** Ends of one plugin after which it still is started again. */
const ENDS = 3;
const NOTICED_MS = 3_000;
const KILLED_MS = 100;
const GOALS = { worker: { call: 0.2, memory: 150 }, process: { call: 0.4, memory: 450 } };
const EVENT = { toolName: "read", params: { path: "notes.md", depth: 2 } };

const root = mkdtempSync(join(tmpdir(), "isolation-bench-"));

function pluginAt(id, isolation) {
  const folder = join(root, `${id}-${isolation}`);
  mkdirSync(folder, { recursive: true });
  const manifest = {
    id,
    entry: "index.mjs",
    isolation,
    permissions: { hooks: ["*"], tools: ["*"] },
  };
  writeFileSync(join(folder, "openclaw.plugin.json"), JSON.stringify(manifest));
  writeFileSync(
    join(folder, "index.mjs"),
    `export const register = (api) => {
      api.on("before_tool_call", (event) => {
        if (event.toolName === "exec") return { block: true, blockReason: "no" };
      });
      const parameters = { type: "object", properties: {} };
      const tool = { description: "A tool.", parameters };
      api.registerTool({ ...tool, name: "spin", execute: () => { for (;;); } });
      api.registerTool({ ...tool, name: "fine", execute: () => "fine" });
    };`,
  );
  return folder;
}

async function medianCall(isolation) {
  const host = await createTestHost({ plugin: pluginAt("one", isolation) });
  const times = [];
  for (let call = 0; call < CALLS; call += 1) {
    const began = performance.now();
    await host.fire("before_tool_call", EVENT);
    times.push(performance.now() - began);
  }
  await host.dispose();
  return times.toSorted((a, b) => a - b)[CALLS / 2];
}

/** Longest times until a plugin that spins is noticed, and until it has ended after that. */
async function endOf(isolation) {
  const host = await createTestHost({ plugin: pluginAt("one", isolation) });
  const waits = [];
  for (let end = 0; end < ENDS; end += 1) {
    const began = performance.now();
    await host.callTool("spin");
    waits.push(performance.now() - began);
    await host.callTool("fine");
  }
  const kills = host.logs.flatMap(({ fields }) => fields.killMs ?? []);
  await host.dispose();
  if (kills.length !== ENDS) throw new Error(`it was ended ${kills.length} times`);
  const noticed = waits.map((wait, index) => wait - kills[index]);
  return { noticed: Math.max(...noticed), killed: Math.max(...kills) };
}

async function memoryOf(isolation) {
  const paths = Array.from({ length: PLUGINS - 1 }, (_, index) =>
    pluginAt(`more-${index}`, isolation),
  );
  const empty = await createTestHost({ plugin: pluginAt("one", "none") });
  globalThis.gc?.();
  const before = residentMiB();
  const host = await createTestHost({
    plugin: pluginAt("one", isolation),
    config: { plugins: { load: { paths } } },
  });
  globalThis.gc?.();
  const after = residentMiB();
  await host.dispose();
  await empty.dispose();
  return after - before;
}

/** Memory of this process and of those that it started, shared pages divided among them. */
function residentMiB() {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
          return [[Number(pid), Number(stat.slice(stat.lastIndexOf(")") + 4).split(" ")[0])]];
        } catch {
          return [];
        }
      }),
  );
  const isOurs = (pid) => pid === process.pid || (parents.has(pid) && isOurs(parents.get(pid)));
  let kibibytes = 0;
  for (const pid of parents.keys()) {
    if (!isOurs(pid)) continue;
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      kibibytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      // It has ended.
    }
  }
  return kibibytes / 1024;
}

function report(metric, value, unit, n, bounds) {
  const line = { package: "plugin-testkit", bench: "isolation", metric, value, unit, n };
  console.log(JSON.stringify({ ...line, better: "lower", ...bounds }));
}

try {
  const floor = await medianCall("none");
  for (const [tier, goal] of Object.entries(GOALS)) {
    const value = await medianCall(tier);
    report(`${tier}: hook call, median`, value, "ms", CALLS, { floor, goal: goal.call });
    const { noticed, killed } = await endOf(tier);
    report(`${tier}: spinning, noticed`, noticed, "ms", ENDS, { goal: NOTICED_MS });
    report(`${tier}: spinning, ended after that`, killed, "ms", ENDS, { goal: KILLED_MS });
    const memory = await memoryOf(tier);
    report(`${tier}: memory of ten plugins`, memory, "MiB", 1, { goal: goal.memory });
  }
} finally {
  rmSync(root, { recursive: true });
}
process.exit();
