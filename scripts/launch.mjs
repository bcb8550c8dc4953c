// Runs `openclaw` of this checkout, and builds it before if its sources have changed since the last build.
// usage: node scripts/launch.mjs [arguments of openclaw]
// A build shows one line of progress; its output is shown only when it fails.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const STAMP = join(ROOT, "node_modules/.cache/openclaw-build");
const COMMAND = join(ROOT, "apps/gateway/bin/openclaw.cjs");
const TICK_MS = 1000;

const sources = sourcesDigest();
if (readStamp() !== sources) {
  await build();
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, sourcesDigest());
}
process.argv.splice(1, 1, COMMAND);
createRequire(import.meta.url)(COMMAND);

/** Returns a digest of the names, sizes and times of everything that the build reads. */
function sourcesDigest() {
  const hash = createHash("sha256");
  for (const file of ["pnpm-lock.yaml", "tsconfig.base.json"]) addFile(hash, join(ROOT, file));
  for (const area of ["packages", "extensions", "apps"]) {
    for (const name of readdirSync(join(ROOT, area)).sort()) {
      const folder = join(ROOT, area, name);
      addFile(hash, join(folder, "package.json"));
      addFile(hash, join(folder, "tsup.config.ts"));
      addFolder(hash, join(folder, "src"));
    }
  }
  // A build that was removed is made again.
  hash.update(String(isThere(join(ROOT, "apps/gateway/dist/main.js"))));
  return hash.digest("hex");
}

function addFolder(hash, folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addFolder(hash, path);
    else addFile(hash, path);
  }
}

function addFile(hash, path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`);
}

function isThere(path) {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function readStamp() {
  try {
    return readFileSync(STAMP, "utf8");
  } catch {
    return undefined;
  }
}

async function build() {
  const startedAt = Date.now();
  const { stderr } = process;
  const text = () => `Building OpenClaw … ${Math.round((Date.now() - startedAt) / 1000)} s`;
  const show = () => stderr.write(`\r${text()}`);
  if (stderr.isTTY) show();
  else stderr.write("Building OpenClaw …\n");
  const ticks = stderr.isTTY ? setInterval(show, TICK_MS) : undefined;
  const { code, output } = await runTurbo();
  clearInterval(ticks);
  if (stderr.isTTY) stderr.write("\r\u001b[2K");
  if (code === 0) return;
  stderr.write(`${output}\nopenclaw: the build failed, see above\n`);
  process.exit(1);
}

/** Returns the program, and the packages of the checkout that it loads when it runs; the others need no build. */
function packagesToRun() {
  const manifests = new Map();
  for (const area of ["packages", "extensions", "apps"]) {
    for (const name of readdirSync(join(ROOT, area))) {
      const file = join(ROOT, area, name, "package.json");
      if (!isThere(file)) continue;
      const manifest = JSON.parse(readFileSync(file, "utf8"));
      manifests.set(manifest.name, manifest);
    }
  }
  const found = new Set(["openclaw"]);
  for (const name of found) {
    const { dependencies = {}, optionalDependencies = {} } = manifests.get(name);
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (manifests.has(each)) found.add(each);
    }
  }
  return [...found];
}

function runTurbo() {
  const turbo = join(ROOT, "node_modules/.bin/turbo");
  const filters = packagesToRun().map((name) => `--filter=${name}`);
  const child = spawn(turbo, ["run", "build", "--output-logs=errors-only", ...filters], {
    cwd: ROOT,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let output = "";
  const keep = (chunk) => {
    output += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
