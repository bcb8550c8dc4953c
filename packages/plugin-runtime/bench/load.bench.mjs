// What discovery and loading cost, against the plain import of the same files. Each figure comes from
// fresh processes, since a module is loaded only once in one; the best of many, since the machine is
// rarely quiet.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROUNDS = 15;
const runtime = new URL("../dist/index.js", import.meta.url).href;
const root = mkdtempSync(join(tmpdir(), "plugin-bench-"));

try {
  const javascript = layOut("javascript", 50, "mjs", true);
  const typescript = layOut("typescript", 50, "ts", true);
  const disabled = layOut("disabled", 100, "mjs", false);

  const warm = { NODE_COMPILE_CACHE: join(root, "cache") };
  const [plain, loaded] = best([importPlainly(javascript), load(javascript)]);
  report("load 50 two-file JavaScript plugins", loaded / plain, "ratio", {
    floor: "plain import of the same modules",
    goal: 1.2,
  });
  const [plainWarm, loadedWarm] = best([importPlainly(javascript), load(typescript)], warm);
  report(
    "load 50 two-file TypeScript plugins, warm compile cache",
    loadedWarm / plainWarm,
    "ratio",
    {
      floor: "plain import of the same code as JavaScript, same cache",
      goal: 1.5,
    },
  );
  report(
    "load 50 two-file TypeScript plugins, warm compile cache, from start to end",
    loadedWarm,
    "ms",
    {
      goal: 100,
    },
  );
  const [none, withDisabled] = best([load(join(root, "nothing")), load(disabled)]);
  report("100 disabled plugins", withDisabled - none, "ms", { goal: 15 });
} finally {
  rmSync(root, { recursive: true, force: true });
}

function layOut(name, count, extension, enabled) {
  const state = join(root, name);
  for (let index = 0; index < count; index += 1) {
    const folder = join(state, "extensions", `plugin-${index}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "openclaw.plugin.json"),
      JSON.stringify({
        id: `plugin-${index}`,
        enabledByDefault: enabled,
        entry: `index.${extension}`,
      }),
    );
    const type = extension === "ts" ? ": string" : "";
    writeFileSync(
      join(folder, `index.${extension}`),
      `import { greeting } from "./part.${extension}";\n` +
        `export function register(api) { api?.on("agent_end", () => greeting(api.id)); }\n`.replace(
          "(api)",
          extension === "ts" ? "(api: any)" : "(api)",
        ),
    );
    writeFileSync(
      join(folder, `part.${extension}`),
      `export const greeting = (name${type}) => "hello " + name + ${index};\n`,
    );
  }
  return state;
}

/** Time from the first loader call to the last registration; what the process needs to start is left out. */
function load(stateDir) {
  return `
    import { createPluginRuntime } from ${JSON.stringify(runtime)};
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const began = performance.now();
    const plugins = createPluginRuntime({ config: {}, logger, stateDir: ${JSON.stringify(stateDir)} });
    const { diagnostics } = await plugins.load();
    console.log(performance.now() - began);
    if (diagnostics.some(({ level }) => level === "error")) throw new Error(JSON.stringify(diagnostics));
  `;
}

function importPlainly(state) {
  return `
    import { readdirSync } from "node:fs";
    import { pathToFileURL } from "node:url";
    const folder = ${JSON.stringify(join(state, "extensions"))};
    const began = performance.now();
    const urls = readdirSync(folder).map((name) => pathToFileURL(folder + "/" + name + "/index.mjs").href);
    for (const { register } of await Promise.all(urls.map((url) => import(url)))) register(undefined);
    console.log(performance.now() - began);
  `;
}

function measure(program, env = {}) {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return Number(output.trim());
}

/** The quickest run of each program, taken in turns so that they share the machine's moods. */
function best(programs, env) {
  const quickest = programs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, program] of programs.entries()) {
      quickest[index] = Math.min(quickest[index], measure(program, env));
    }
  }
  return quickest;
}

function report(bench, value, unit, { floor, goal }) {
  const rounded = Math.round(value * 100) / 100;
  const line = {
    package: "plugin-runtime",
    bench,
    metric: "time",
    value: rounded,
    unit,
    n: ROUNDS,
  };
  console.log(JSON.stringify({ ...line, ...(floor && { floor }), goal, better: "lower" }));
}
