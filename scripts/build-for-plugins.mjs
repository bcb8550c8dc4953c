// Builds the packages that a plugin project imports, with their types. `start` builds only what the gateway loads.
// usage: node scripts/build-for-plugins.mjs <package name …>
// Does nothing while everything is there and the sources have not changed since this script built it.
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { argv } from "node:process";
import { build, ROOT, turbo, withDependencies } from "./building/packages.mjs";
import { readStamp, sourcesDigest, writeStamp } from "./building/stamp.mjs";

const STAMP = "openclaw-build-for-plugins";

const packages = withDependencies(argv.slice(2));
const built = readStamp(STAMP);
const isStale = built !== undefined && built !== sourcesDigest();
if (isStale || [...packages.values()].some((each) => !isBuilt(each))) {
  const folders = [...packages.values()].map(({ folder }) => relative(ROOT, folder));
  await build("Building the test kit and the types for plugins", [
    turbo(packages.keys()),
    ["tsc", ["-b", ...folders]],
  ]);
  writeStamp(STAMP, sourcesDigest());
}

/** Says whether the code and the types of every entry point of a package are there; of a pattern, its folder. */
function isBuilt({ folder, manifest }) {
  const entries = Object.values(manifest.exports ?? {});
  return entries
    .flatMap((entry) => (typeof entry === "string" ? [entry] : [entry.types, entry.default]))
    .every((file) => file === undefined || existsSync(join(folder, file.split("*")[0])));
}
