// Cost of discovery and loading, compared with the plain import of the same files. Each figure comes from
// fresh processes, since a module is loaded only once in one; the best of many, since the machine is
// rarely quiet.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROUNDS = 15;
const MEASURED =
  "console.log(JSON.stringify({ ms: performance.now() - began, rss: process.memoryUsage().rss }));";
const runtime = new URL("../dist/index.js", import.meta.url).href;
const root = mkdtempSync(join(tmpdir(), "plugin-bench-"));

try {
  const javascript = layOut("javascript", 50, "mjs", true);
  const typescript = layOut("typescript", 50, "ts", true);
  const compiled = layOut("compiled", 50, "ts", true, "enum Kind { One } void Kind.One;\n");
  const disabled = layOut("disabled", 100, "mjs", false);
  const warm = { NODE_COMPILE_CACHE: join(root, "cache") };
  const plainly = "plain import of the same code as JavaScript";

  const [plain, loaded] = best([importPlainly(javascript), load(javascript)]);
  report("load 50 two-file JavaScript plugins", loaded.ms / plain.ms, "ratio", plainly, 4.5);
  report("50 JavaScript plugins", loaded.rss / plain.rss, "ratio", plainly, 2.1, "memory");

  const [plainWarm, native, jiti] = best(
    [importPlainly(javascript), load(typescript), load(compiled)],
    warm,
  );
  const typescriptWarm = "load 50 two-file TypeScript plugins, warm compile cache";
  report(typescriptWarm, native.ms / plainWarm.ms, "ratio", `${plainly}, same cache`, 5);
  report(`${typescriptWarm}, from start to end`, native.ms, "ms", undefined, 100);
  report(
    "load 50 two-file TypeScript plugins through jiti, warm cache",
    jiti.ms / plainWarm.ms,
    "ratio",
    `${plainly}, same cache`,
    7,
  );

  const [plainCold, cold] = best([importPlainly(javascript), load(typescript)]);
  report(
    "load 50 two-file TypeScript plugins without any cache",
    cold.ms / plainCold.ms,
    "ratio",
    plainly,
    8,
  );

  const [none, withDisabled] = best([load(join(root, "nothing")), load(disabled)]);
  report("100 disabled plugins", withDisabled.ms - none.ms, "ms", "no plugins", 15);
  report("one disabled plugin", (withDisabled.ms - none.ms) / 100, "ms", "no plugins", 1);
} finally {
  rmSync(root, { recursive: true, force: true });
}

function layOut(name, count, extension, enabled, more = "") {
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
      `import { greeting } from "./part.${extension}";\n${more}` +
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

/**
 * Time from the call of `load` to the last registration; what process and host need to start is left
 * out.
 */
function load(stateDir) {
  return `
    import { createPluginRuntime } from ${JSON.stringify(runtime)};
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const plugins = createPluginRuntime({ config: {}, logger, stateDir: ${JSON.stringify(stateDir)} });
    const began = performance.now();
    const { diagnostics } = await plugins.load();
    ${MEASURED}
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
    ${MEASURED}
  `;
}

function measure(program, env = {}) {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, ...env },
    encoding: "utf8",
  });
  return JSON.parse(output);
}

/**
 * Returns the minimum of each program; runs alternate so that both see the same load of the
 * machine.
 */
function best(programs, env) {
  const least = programs.map(() => ({
    ms: Number.POSITIVE_INFINITY,
    rss: Number.POSITIVE_INFINITY,
  }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, program] of programs.entries()) {
      const { ms, rss } = measure(program, env);
      least[index].ms = Math.min(least[index].ms, ms);
      least[index].rss = Math.min(least[index].rss, rss);
    }
  }
  return least;
}

function report(bench, value, unit, floor, goal, metric = "time") {
  const rounded = Math.round(value * 100) / 100;
  const line = { package: "plugin-runtime", bench, metric, value: rounded, unit, n: ROUNDS };
  console.log(JSON.stringify({ ...line, ...(floor && { floor }), goal, better: "lower" }));
}
