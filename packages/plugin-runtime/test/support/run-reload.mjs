// Loads plugins, changes their files, loads them again, and prints what each load registered.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createPluginRuntime } from "../../dist/index.js";

const root = process.argv[2];
const state = join(root, "state");

/** Each plugin imports its tool's name from its own helper module. */
const plugins = {
  module: {
    "index.mjs": `import { name } from "./part.mjs"; ${register("export ")}`,
    "part.mjs": (version) => `export const name = "module-${version}";`,
  },
  typescript: {
    "index.ts": `import { name } from "./part.ts"; ${register("export ")}`,
    "part.ts": (version) => `export const name: string = "typescript-${version}";`,
  },
  commonjs: {
    "index.cjs": `const { name } = require("./part.cjs"); ${register("exports.register = ")}`,
    "part.cjs": (version) => `exports.name = "commonjs-${version}";`,
  },
  jiti: {
    "index.ts": `import { name } from "./part"; ${register("export ")}`,
    "part.ts": (version) =>
      `export enum Name { Own = "jiti-${version}" }\nexport const name = Name.Own;`,
  },
};

write(1);
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const runtime = createPluginRuntime({ config: {}, logger, stateDir: state });
const loads = [];
for (const version of [1, 2, 3]) {
  write(version);
  const { tools, diagnostics } = await runtime.load();
  loads.push({
    tools: tools.flatMap(({ names }) => names),
    errors: diagnostics.filter(({ level }) => level === "error").map(({ message }) => message),
  });
}
writeFileSync(join(state, "extensions/module/part.mjs"), "export const = 4;");
const broken = await runtime.load();
loads.push({
  tools: broken.tools.flatMap(({ names }) => names),
  errors: broken.diagnostics.filter(({ level }) => level === "error").map(({ message }) => message),
});
console.log(JSON.stringify(loads));

function register(prefix) {
  return `${prefix}function register(api) {
    api.registerTool({ name, description: "", parameters: {}, execute: () => name });
  }`;
}

function write(version) {
  for (const [id, files] of Object.entries(plugins)) {
    const folder = join(state, "extensions", id);
    put(join(folder, "openclaw.plugin.json"), JSON.stringify({ id }));
    for (const [name, content] of Object.entries(files)) {
      put(join(folder, name), typeof content === "function" ? content(version) : content);
    }
  }
}

function put(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
