// Runs the quick start and the tests of a new plugin in a clone in which only `start` ran, as a newcomer has it.
// usage: node scripts/rehearse-quick-start.mjs
// The clone has what is committed.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quickStartCommands } from "../apps/e2e/src/documentation/quick-start.ts";
import { ROOT } from "./building/packages.mjs";

const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "openclaw-quick-start-"));
const clone = join(folder, "openclaw");
const env = { ...process.env, OPENCLAW_STATE_DIR: join(folder, "state") };

function shell(lines, cwd = clone) {
  for (const line of lines) console.log(`$ ${line}`);
  execFileSync("sh", ["-e", "-c", lines.join("\n")], { cwd, env, stdio: "inherit" });
}

try {
  execFileSync("git", ["clone", "--quiet", ROOT, clone], { stdio: "inherit" });
  // Installs and builds what `start` does.
  shell([`npx -y ${packageManager} -s openclaw --version`]);
  cpSync(join(ROOT, "docs/examples/search-guard"), join(folder, "search-guard"), {
    recursive: true,
  });
  shell(quickStartCommands(ROOT, "checkout"));
  mkdirSync(join(folder, "plugins"));
  shell([`npx -y ${packageManager} -s openclaw plugins init ../plugins/words --yes`]);
  shell(["npm test", "npm run typecheck", "npm run validate"], join(folder, "plugins/words"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
