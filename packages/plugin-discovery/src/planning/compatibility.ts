import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { PLUGIN_API_VERSION } from "@openclaw/plugin-sdk/plugin-entry";
import { satisfies } from "./version-range.js";

/** Versions of the plugin API, by year and month, that this runtime supports in addition to its own. */
export const SERVED_VINTAGES = ["2026.2.0", "2026.5.0", "2026.9.0"] as const;

/** Smallest first part of a version that is a year. */
const FIRST_YEAR = 2_000;

/** Incompatibility of a plugin with this host. */
export interface CompatibilityProblem {
  /** False for a range that cannot be parsed, which causes only a warning. */
  readonly conflict: boolean;
  readonly message: string;
}

/**
 * Compares the version requirements of a manifest with this host (PLUG-013).
 * @param manifest - manifest with `compat`
 * @param hostVersion - version of the host; not compared when undefined
 * @param pluginApi - the only API version that the host claims to support; all supported versions when absent
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
        ? `it requires ${what} "${asked}", which is not a version range; it is loaded anyway`
        : `it requires ${what} ${asked}, and this host is ${offered}`,
    },
  ];
}

/** API versions are months, so the third part of a calendar version is ignored. */
function withoutDay(range: string): string {
  return range.replaceAll(/(\d{4}\.\d+)\.[\dxX*]+/g, "$1");
}

function isCalendar(range: string): boolean {
  return Number(/\d+/.exec(range)?.[0] ?? 0) >= FIRST_YEAR;
}
