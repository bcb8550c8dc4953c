import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { PLUGIN_API_VERSION } from "@openclaw/plugin-sdk/plugin-entry";
import { satisfies } from "./version-range.js";

/** Versions of the public API, by year and month, that this runtime serves beside its own. */
const SERVED_VINTAGES = ["2026.2.0", "2026.5.0", "2026.9.0"] as const;

/** From this number on, the first part of a version is a year. */
const FIRST_YEAR = 2_000;

/** Why a plugin may not fit this host. */
export interface CompatibilityProblem {
  /** False for a range that cannot be read, which only warns. */
  readonly conflict: boolean;
  readonly message: string;
}

/**
 * Compares what a manifest asks for with what this host is (PLUG-013).
 * @param manifest - its `compat` counts
 * @param hostVersion - version of the host; not compared when undefined
 * @param pluginApi - the one version of the API that the host claims to serve, in place of all it serves
 */
export function checkCompatibility(
  { compat }: PluginManifest,
  hostVersion: string | undefined,
  pluginApi?: string,
): CompatibilityProblem[] {
  const problems: CompatibilityProblem[] = [];
  const { pluginApi: asked, minGatewayVersion } = compat ?? {};
  if (typeof asked === "string") {
    const own = isCalendar(asked) ? SERVED_VINTAGES : [PLUGIN_API_VERSION];
    const served = pluginApi === undefined ? own : [pluginApi];
    problems.push(...compare("plugin API", asked, withoutDay(asked), served));
  }
  if (typeof minGatewayVersion === "string") {
    const calendar = isCalendar(minGatewayVersion);
    const served = calendar ? SERVED_VINTAGES : hostVersion === undefined ? [] : [hostVersion];
    if (served.length > 0) {
      problems.push(
        ...compare("host", minGatewayVersion, `>=${withoutDay(minGatewayVersion)}`, served),
      );
    }
  }
  return problems;
}

function compare(
  what: string,
  asked: string,
  range: string,
  served: readonly string[],
): CompatibilityProblem[] {
  const answers = served.map((version) => satisfies(version, range));
  if (answers.includes(true)) return [];
  const unreadable = answers.includes(undefined);
  const offered = served.join(", ");
  return [
    {
      conflict: !unreadable,
      message: unreadable
        ? `it asks for ${what} "${asked}", which is no range of versions; it is loaded all the same`
        : `it asks for ${what} ${asked}, and this host is ${offered}`,
    },
  ];
}

/** Vintages are months, so the third part of a calendar version does not count. */
function withoutDay(range: string): string {
  return range.replaceAll(/(\d{4}\.\d+)\.[\dxX*]+/g, "$1");
}

function isCalendar(range: string): boolean {
  return Number(/\d+/.exec(range)?.[0] ?? 0) >= FIRST_YEAR;
}
