import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";
import { isFirstParty } from "./first-party.js";
import { readPackage } from "./package-manifest.js";

/** An exact version, also behind an alias, and a full Git commit. */
const PINNED =
  /^(?:npm:(?:@[\w.~-]+\/)?[\w.~-]+@)?=?v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$|#[0-9a-f]{40}$/i;
const LOCAL = /^(?:file|link|portal|workspace):|^[.~]{0,2}\//;

/**
 * Reports the dependencies of a plugin whose version is chosen at the time of the install, so that two installs of
 * one release can run different code.
 * @param dir - folder of the plugin before its dependencies are installed
 * @returns one finding, or none
 */
export async function floatingDependencies(dir: string): Promise<InstallFinding[]> {
  const manifest = await readPackage(dir);
  const dependencies = { ...manifest?.dependencies, ...manifest?.optionalDependencies };
  const floating: string[] = [];
  for (const [name, range] of Object.entries(dependencies)) {
    if (isFirstParty(name) || PINNED.test(range) || LOCAL.test(range)) continue;
    // What the archive brings with it does not change.
    if ((await readPackage(join(dir, "node_modules", name))) !== undefined) continue;
    floating.push(`${name} (${range})`);
  }
  const [first] = floating;
  if (first === undefined) return [];
  return [
    {
      ruleId: "floating-dependency",
      severity: "warn",
      file: "package.json",
      line: await lineOf(dir, first.slice(0, first.lastIndexOf(" ("))),
      message: `does not fix the version of ${floating.join(", ")}, so a later install can run other code`,
    },
  ];
}

async function lineOf(dir: string, name: string): Promise<number> {
  const lines = (await readFile(join(dir, "package.json"), "utf8")).split("\n");
  return lines.findLastIndex((line) => line.includes(`${JSON.stringify(name)}:`)) + 1 || 1;
}
