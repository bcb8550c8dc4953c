// Compares what `openclaw/plugin-sdk/*` and `@openclaw/plugin-sdk/*` give, name by name, and prints the
// names that differ. Runs where the two packages can be found, and as a plugin of a host.
// usage: node run-spellings.mjs <folder>   whose node_modules has both packages
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const require = createRequire(join(folder, "index.js"));
const packages = join(folder, "node_modules");
const { exports } = JSON.parse(
  readFileSync(join(packages, "@openclaw/plugin-sdk/package.json"), "utf8"),
);
const subpaths = Object.keys(exports)
  .filter((path) => !path.endsWith(".json") && !path.startsWith("./proposals/"))
  .map((path) => path.slice(1));
const results = {};
for (const subpath of subpaths) {
  const names = [`@openclaw/plugin-sdk${subpath}`, `openclaw/plugin-sdk${subpath}`];
  const [stable, older] = names.map((name) => require(name));
  const imported = await Promise.all(names.map((name) => import(address(name))));
  const differs = (name) =>
    [older, ...imported].some((module) => module[name] !== stable[name] || !(name in module));
  const all = Object.keys(stable);
  results[subpath] = { count: all.length, different: all.filter(differs) };
}

// Entry points for older plugins export the SDK's binding of the same name if there is one.
const root = require("@openclaw/plugin-sdk");
const older = Object.keys(
  JSON.parse(readFileSync(join(packages, "openclaw/package.json"), "utf8")).exports,
)
  .map((path) => path.slice("./plugin-sdk".length))
  .filter((subpath) => !subpaths.includes(subpath));
for (const subpath of older) {
  const module = require(`openclaw/plugin-sdk${subpath}`);
  const shared = Object.keys(module).filter((name) => name in root);
  const different = shared.filter((name) => module[name] !== root[name]);
  results[subpath] = { count: shared.length, different };
}
console.log(JSON.stringify(results));

function address(name) {
  return pathToFileURL(require.resolve(name)).href;
}
