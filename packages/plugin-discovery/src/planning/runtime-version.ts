import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { SERVED_VINTAGES } from "./compatibility.js";
import type { PlannedPlugin } from "./plan.js";

const CALENDAR = /(?:^|[^\d.])20\d\d\.\d/;

/**
 * Returns the version of the host in the numbering of a plugin's API. Plugins of the calendar versions compare it with
 * the version that they need, so they get the newest one that the host supports (PLUG-102).
 * @param isCalendar - true for a plugin of the calendar versions, see {@link usesCalendar}
 */
export function runtimeVersion(isCalendar: boolean, hostVersion = "unknown"): string {
  return isCalendar ? (SERVED_VINTAGES.at(-1) ?? hostVersion) : hostVersion;
}

/**
 * Returns true for a plugin of an older API: it names a calendar version of the host that it needs, or a package of an
 * earlier name.
 */
export function usesCalendar({
  manifest,
  manifestPath,
  rootDir,
  definition,
}: PlannedPlugin): boolean {
  if (definition !== undefined) return false;
  if (/^(?:clawdbot|moltbot)\./.test(basename(manifestPath ?? ""))) return true;
  const { compat, minHostVersion } = manifest as { compat?: object; minHostVersion?: unknown };
  const fields = packageFields(rootDir);
  const block = objectIn(fields.openclaw ?? fields.clawdbot ?? fields.moltbot);
  const host = (dependencies: unknown) => {
    const { openclaw, clawdbot, moltbot } = objectIn(dependencies);
    return [openclaw, clawdbot, moltbot];
  };
  const asked = [
    ...Object.values(objectIn(compat)),
    minHostVersion,
    ...Object.values(objectIn(block.compat)),
    ...Object.values(objectIn(block.build)),
    objectIn(block.install).minHostVersion,
    ...host(fields.peerDependencies),
    ...host(fields.devDependencies),
  ];
  return (
    fields.clawdbot !== undefined ||
    fields.moltbot !== undefined ||
    asked.some((value) => typeof value === "string" && CALENDAR.test(` ${value}`))
  );
}

function packageFields(rootDir: string): Record<string, unknown> {
  try {
    return objectIn(JSON.parse(readFileSync(join(rootDir, "package.json"), "utf8")));
  } catch {
    // A plugin without a readable package was not written for a published host.
    return {};
  }
}

function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
