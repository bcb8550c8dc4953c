// Runs `openclaw` of this checkout, and builds it before if its sources have changed since the last build.
// usage: node scripts/launch.mjs [arguments of openclaw]
// A build shows one line of progress; its output is shown only when it fails.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build, ROOT, turbo, withDependencies } from "./building/packages.mjs";
import { readStamp, sourcesDigest, writeStamp } from "./building/stamp.mjs";

const STAMP = "openclaw-build";
const COMMAND = join(ROOT, "apps/gateway/bin/openclaw.cjs");

const isThere = existsSync(join(ROOT, "apps/gateway/dist/main.js"));
if (!isThere || readStamp(STAMP) !== sourcesDigest()) {
  // Other packages of the checkout need no build to run the program.
  await build("Building OpenClaw", [turbo(withDependencies(["openclaw"]).keys())]);
  writeStamp(STAMP, sourcesDigest());
}
process.argv.splice(1, 1, COMMAND);
createRequire(import.meta.url)(COMMAND);
