// Packs every published package, lints the archives and their types, installs them together in an empty folder, and
// imports and type-checks every entry point there, the way a user of the registry would get them.
// usage: node scripts/check-packages.mjs
import { execFileSync } from "node:child_process";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { stdout } from "node:process";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = resolve(import.meta.dirname, "..");
const work = mkdtempSync(join(tmpdir(), "openclaw-packages-"));
const archives = join(work, "archives");
const consumer = join(work, "consumer");
/** A project that also checks the declarations of its dependencies. */
const STRICT_CONSUMER = {
  compilerOptions: {
    target: "ES2023",
    module: "NodeNext",
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  },
  files: ["check.ts"],
};

mkdirSync(archives);
mkdirSync(consumer);

try {
  const packages = globSync("{packages,extensions,apps}/*/package.json", { cwd: root })
    .map((file) => ({ dir: join(root, dirname(file)), manifest: readJson(join(root, file)) }))
    .filter(({ manifest }) => manifest.private !== true);

  for (const { dir, manifest } of packages) {
    run("pnpm", ["pack", "--pack-destination", archives], dir);
    const { messages } = await publint({ pkgDir: dir, pack: "pnpm", strict: true });
    for (const message of messages)
      stdout.write(`${manifest.name}: ${formatMessage(message, manifest)}\n`);
    if (messages.length > 0) throw new Error(`publint finds fault with ${manifest.name}`);
  }

  writeFileSync(
    join(consumer, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module" }),
  );
  const files = readdirSync(archives).map((file) => join(archives, file));
  for (const file of files) {
    run("attw", ["--profile", "esm-only", "--no-definitely-typed", "--no-emoji", file], root);
  }
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...files], consumer);

  const entries = packages.flatMap(entryPoints);
  writeFileSync(join(consumer, "check.mjs"), checkScript(entries));
  run(process.execPath, ["check.mjs"], consumer);
  writeFileSync(join(consumer, "check.ts"), typeCheckScript(entries));
  writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify(STRICT_CONSUMER));
  run(join(root, "node_modules/.bin/tsc"), ["-p", "."], consumer);
  stdout.write(
    `${packages.length} packages, ${entries.length} entry points: all import from their archives\n`,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

function entryPoints({ dir, manifest: { name, exports = {} } }) {
  return Object.entries(exports)
    .filter(([path]) => !path.endsWith(".json"))
    .flatMap(([path, target]) => (path.includes("*") ? matches(dir, path, target.default) : path))
    .map((path) => (path === "." ? name : `${name}${path.slice(1)}`));
}

/** Entry points that a pattern such as `./sdk/*` offers. */
function matches(dir, pattern, file) {
  const [before, after] = file.slice("./".length).split("*");
  return globSync(`${before}**/*${after}`, { cwd: dir }).map((found) =>
    pattern.replace("*", found.slice(before.length, -after.length)),
  );
}

/** Uses the types of every entry point, so that a declaration which is not shipped is an error. */
function typeCheckScript(entries) {
  const imports = entries.map((entry, index) => `import * as entry${index} from "${entry}";`);
  const names = entries.map((_, index) => `typeof entry${index}`);
  return `${imports.join("\n")}\nexport type Entries = [${names.join(", ")}];\n`;
}

/**
 * Imports everything, and holds both spellings of the SDK against each other (SDK-002). The host's has
 * names of older vintages besides.
 */
function checkScript(entries) {
  return `
    import assert from "node:assert/strict";
    import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    for (const entry of ${JSON.stringify(entries)}) await import(entry);
    for (const entry of ${JSON.stringify(entries.filter((entry) => entries.includes(`@${entry}`)))}) {
      const host = await import(entry);
      const sdk = await import("@" + entry);
      for (const name of Object.keys(sdk)) {
        assert.equal(host[name], sdk[name], entry + " " + name);
        assert.equal(require(entry)[name], sdk[name], "require " + entry + " " + name);
      }
    }
  `;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function run(command, args, cwd) {
  try {
    execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new Error(`${command} ${args[0]} in ${cwd} failed:\n${error.stdout}${error.stderr}`);
  }
}
