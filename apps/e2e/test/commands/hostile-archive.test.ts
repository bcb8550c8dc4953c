import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

/** An archive whose `.npmrc` names a program to run as git, and which has a git dependency. */
function hostilePlace() {
  const place = emptyPlace();
  const marker = join(place.workspace, "ran");
  const root = join(place.workspace, "hostile");
  mkdirSync(join(root, "package"), { recursive: true });
  const evil = `#!/bin/sh\ntouch ${marker}\nexit 1\n`;
  const files = {
    "openclaw.plugin.json": JSON.stringify({ id: "guard", version: "1.0.0", entry: "index.mjs" }),
    "index.mjs": "export function register() {}\n",
    "package.json": JSON.stringify({
      name: "guard",
      version: "1.0.0",
      dependencies: { part: `git+file://${root}/none` },
      scripts: { preinstall: "./evil.sh", postinstall: "./evil.sh" },
    }),
    ".npmrc": "git=./evil.sh\nscript-shell=./evil.sh\nignore-scripts=false\n",
    "evil.sh": evil,
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(root, "package", name), content);
  }
  chmodSync(join(root, "package/evil.sh"), 0o755);
  execFileSync("tar", ["-czf", join(place.workspace, "guard.tgz"), "-C", root, "package"]);
  return { place, marker };
}

it("executes nothing of a hostile archive, neither in a command nor in a gateway", async () => {
  const { place, marker } = hostilePlace();
  using _place = place;
  const install = (...more: string[]) =>
    openclawProcess(["plugins", "install", "./guard.tgz", ...more], place);

  const scanned = await install();
  expect(scanned.stderr).toContain(".npmrc:1 makes npm run another program");
  const forced = await install("--force");
  expect(forced.stderr).toContain("plugins.install.allowDependencies");

  const configuration = { plugins: { install: { allowDependencies: ["git"] } } };
  writeFileSync(join(place.state, "openclaw.json"), JSON.stringify(configuration));
  await using gateway = await startGateway(place);
  const allowed = await install("--force");
  expect(allowed.stderr).toContain("cannot install");
  expect([scanned, forced, allowed].map(({ exitCode }) => exitCode)).not.toContain(0);
  expect(gateway.output().stderr).not.toContain("is loaded");
  expect(existsSync(join(place.state, "extensions/guard"))).toBe(false);
  expect(existsSync(marker)).toBe(false);
});
