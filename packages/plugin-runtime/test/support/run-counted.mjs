// Loads plugins while every file that is opened, every module that is loaded and every module of the SDK
// that is evaluated is recorded, and prints all three. Runs under plain Node, where nothing but the host itself opens files.
// usage: node run-counted.mjs <folder>   whose `state` holds plugins
import fs from "node:fs";
import { registerHooks, syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = process.argv[2];
const runtimeUrl = new URL("../../dist/index.js", import.meta.url).href;
const opened = [];
const modules = [];
globalThis.evaluated = [];

watch(fs, [
  "open",
  "openSync",
  "readFile",
  "readFileSync",
  "createReadStream",
  "copyFile",
  "copyFileSync",
]);
watch(fs.promises, ["open", "readFile", "copyFile"]);
syncBuiltinESMExports();
registerHooks({
  load(url, context, next) {
    modules.push(url);
    const loaded = next(url, context);
    if (!url.includes("/plugin-sdk/dist/")) return loaded;
    return { ...loaded, source: `evaluated.push(import.meta.url); ${loaded.source}` };
  },
});

const { createPluginRuntime } = await import(runtimeUrl);
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const runtime = createPluginRuntime({ config: {}, logger, stateDir: join(root, "state") });
const { plugins: found } = await runtime.discover();
const byDiscovery = { opened: below(opened), modules: below(modules.map(path)) };
const { plugins, diagnostics } = await runtime.load();
await runtime.dispose();
console.log(
  JSON.stringify({
    found: found.length,
    byDiscovery,
    opened: below(opened),
    modules: modules.map(path),
    evaluated: globalThis.evaluated.map(path),
    statuses: plugins.map(({ id, status }) => [id, status]),
    diagnostics,
  }),
);

function watch(module, names) {
  for (const name of names) {
    const original = module[name];
    module[name] = (file, ...rest) => {
      if (typeof file !== "number") opened.push(String(file));
      return original(file, ...rest);
    };
  }
}

function below(files) {
  return files.filter((file) => file.startsWith(root)).map((file) => file.slice(root.length + 1));
}

function path(url) {
  return url.startsWith("file:") ? fileURLToPath(url) : url;
}
