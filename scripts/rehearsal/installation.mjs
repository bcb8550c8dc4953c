import { globSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { run } from "./command.mjs";

/** Goals for `openclaw` with its production dependencies (SCALE-041). */
const MAXIMUM_MEGABYTES = 200;
const MAXIMUM_PACKAGES = 200;
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/**
 * Installs `openclaw` into an empty folder as an operator does, and measures it.
 * @param folder - an empty folder
 * @param environment - with a registry that has this release
 * @param names - names of the packages in the registry
 * @returns figures in the form of a recorded benchmark
 * @throws Error when a goal is not met, or a package that should not has an install script
 */
export async function measureInstallation(folder, environment, names) {
  const install = ["npm", "install", "--omit=dev", `${names.nameOf("openclaw")}@latest`];
  await run(["npm", "init", "--yes"], { cwd: folder, environment });
  await run(install, { cwd: folder, environment });
  const modules = join(folder, "node_modules");
  const bytes = globSync("**", { cwd: modules })
    .map((name) => lstatSync(join(modules, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
  const manifests = globSync("**/node_modules/{*,@*/*}/package.json", { cwd: folder }).map((file) =>
    JSON.parse(readFileSync(join(folder, file), "utf8")),
  );
  const packages = manifests.filter(({ name, version }) => name !== undefined && version);
  const scripted = packages
    .filter(({ scripts = {} }) => INSTALL_SCRIPTS.some((script) => script in scripts))
    .map(({ name }) => name);
  const figures = [
    figure("size", bytes / 1e6, "MB", MAXIMUM_MEGABYTES),
    figure("packages", packages.length, "packages", MAXIMUM_PACKAGES),
    figure("packages with install scripts", scripted.length, "packages", 0),
  ];
  const missed = figures.filter(({ value, goal }) => value > goal);
  if (missed.length > 0) {
    const list = missed.map(({ metric, value, goal }) => `${metric} ${value}, at most ${goal}`);
    throw new Error(
      `installation of openclaw: ${list.join("; ")} (scripts: ${scripted.join(", ")})`,
    );
  }
  return figures;
}

/**
 * Writes the figures as the recorded benchmark of an installation.
 * @param root - root of the repository
 * @param results - from {@link measureInstallation}
 */
export function recordInstallation(root, results) {
  const [cpu] = cpus();
  const machine = {
    cpu: cpu?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  const folder = join(root, "apps/gateway/bench/recorded");
  mkdirSync(folder, { recursive: true });
  const recorded = new Date().toISOString().slice(0, 10);
  const text = `${JSON.stringify({ recorded, machine, results }, null, 2)}\n`;
  writeFileSync(join(folder, "installation.json"), text);
}

function figure(metric, value, unit, goal) {
  const rounded = Math.round(value * 10) / 10;
  return {
    package: "openclaw",
    bench: "installation with production dependencies",
    metric,
    value: rounded,
    unit,
    n: 1,
    goal,
    better: "lower",
  };
}
