// Cost of one reload of a two-file plugin next to 49 others, and the memory that 200 reloads retain: Node
// keeps every module that it has evaluated.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const RELOADS = 200;
const WARM_UP = 20;
const runtimeUrl = new URL("../dist/index.js", import.meta.url).href;

if (process.argv[2] === undefined) parent();
else await child(process.argv[2]);

/** Memory can only be distinguished from garbage in a process that can collect it. */
function parent() {
  const root = mkdtempSync(join(tmpdir(), "reload-bench-"));
  try {
    for (const extension of ["mjs", "ts"]) {
      const state = join(root, extension);
      layOut(state, extension);
      const output = execFileSync(
        process.execPath,
        ["--expose-gc", import.meta.filename, state, extension],
        { encoding: "utf8" },
      );
      const { ms, kibibytes } = JSON.parse(output);
      const what = `reload one two-file .${extension} plugin of 50`;
      report(`${what}, without its register`, "time", ms, "ms", 5);
      report(`${what}, kept for each`, "memory", kibibytes, "KiB", 256);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function child(stateDir) {
  const extension = process.argv[3];
  const { createPluginRuntime } = await import(runtimeUrl);
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const runtime = createPluginRuntime({ config: {}, logger, stateDir });
  await runtime.load();
  const times = [];
  let before = 0;
  for (let round = 0; round < WARM_UP + RELOADS; round += 1) {
    if (round === WARM_UP) before = residentAfterCollection();
    writePart(stateDir, extension, round);
    const { outcome, durationMs, generation, retired } = await runtime.reload("plugin-7");
    await retired;
    const { registerMs } = generation.plugins.find(({ id }) => id === "plugin-7");
    if (outcome !== "loaded") throw new Error(JSON.stringify(generation.diagnostics));
    if (round >= WARM_UP) times.push(durationMs - registerMs);
  }
  const kept = (residentAfterCollection() - before) / RELOADS / 1024;
  console.log(JSON.stringify({ ms: median(times), kibibytes: kept }));
  await runtime.dispose();
}

function layOut(state, extension) {
  for (let index = 0; index < 50; index += 1) {
    const folder = join(state, "extensions", `plugin-${index}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "openclaw.plugin.json"), JSON.stringify({ id: `plugin-${index}` }));
    writeFileSync(
      join(folder, `index.${extension}`),
      `import { greeting } from "./part.${extension}";
       export function register(api) { api.on("agent_end", () => greeting(api.id)); }\n`,
    );
    writeFileSync(join(folder, `part.${extension}`), part(index));
  }
}

function writePart(state, extension, round) {
  writeFileSync(join(state, "extensions/plugin-7", `part.${extension}`), part(round));
}

function part(number) {
  return `export const greeting = (name) => "hello " + name + ${number};\n`;
}

function residentAfterCollection() {
  for (let round = 0; round < 5; round += 1) globalThis.gc();
  return process.memoryUsage().rss;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function report(bench, metric, value, unit, goal) {
  const rounded = Math.round(value * 100) / 100;
  const line = { package: "plugin-runtime", bench, metric, value: rounded, unit, n: RELOADS };
  console.log(JSON.stringify({ ...line, goal, better: "lower" }));
}
