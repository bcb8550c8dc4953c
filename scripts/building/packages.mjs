// The packages of the checkout, and one line of progress for building some of them.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withPnpm } from "./pnpm-path.mjs";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const AREAS = ["packages", "extensions", "apps"];

const TICK_MS = 1000;

/**
 * Returns the named packages of the checkout and those that they load when they run.
 * @param names - package names; those of other packages are ignored
 * @returns folder and manifest by name
 */
export function withDependencies(names) {
  const all = new Map();
  for (const area of AREAS) {
    for (const name of readdirSync(join(ROOT, area))) {
      const folder = join(ROOT, area, name);
      const file = join(folder, "package.json");
      if (!existsSync(file)) continue;
      const manifest = JSON.parse(readFileSync(file, "utf8"));
      all.set(manifest.name, { folder, manifest });
    }
  }
  const found = new Map();
  const queue = [...names];
  for (const name of queue) {
    const entry = all.get(name);
    if (entry === undefined || found.has(name)) continue;
    found.set(name, entry);
    const { dependencies = {}, optionalDependencies = {} } = entry.manifest;
    queue.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
  }
  return found;
}

/**
 * Runs steps of a build, and shows one line with the passed time meanwhile. Ends the process with 1 when a step fails,
 * after its output.
 * @param title - name of the build for display
 * @param steps - program in `node_modules/.bin`, and its arguments
 */
export async function build(title, steps) {
  const startedAt = Date.now();
  const { stderr } = process;
  const text = () => `${title} … ${Math.round((Date.now() - startedAt) / 1000)} s`;
  const show = () => stderr.write(`\r${text()}`);
  if (stderr.isTTY) show();
  else stderr.write(`${title} …\n`);
  const ticks = stderr.isTTY ? setInterval(show, TICK_MS) : undefined;
  let failed;
  for (const step of steps) {
    const { code, output } = await run(...step);
    if (code !== 0) failed = output;
    if (failed !== undefined) break;
  }
  clearInterval(ticks);
  if (stderr.isTTY) stderr.write("\r\u001b[2K");
  if (failed === undefined) return;
  stderr.write(`${failed}\nopenclaw: the build failed, see above\n`);
  process.exit(1);
}

/** Returns the step that builds packages, and what they are bundled with. */
export function turbo(names) {
  const filters = [...names].map((name) => `--filter=${name}`);
  return ["turbo", ["run", "build", "--output-logs=errors-only", ...filters]];
}

function run(program, args) {
  const child = spawn(join(ROOT, "node_modules/.bin", program), args, {
    cwd: ROOT,
    env: {
      ...process.env,
      PATH: withPnpm(ROOT, process.env.PATH ?? ""),
      TURBO_TELEMETRY_DISABLED: "1",
      DO_NOT_TRACK: "1",
    },
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
