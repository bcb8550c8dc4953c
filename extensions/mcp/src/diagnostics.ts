import type { ReportedProblem } from "@openclaw/plugin-sdk/plugin-entry";
import type { ReadServers, ServerSettings } from "./settings.js";

/**
 * Reports what an operator should correct in the entries of servers, for `openclaw doctor`.
 * @param api - api of the plugin
 * @param entries - entries of the configuration
 */
export function diagnoseEntries(
  api: { diagnose(problem: ReportedProblem): void },
  { servers, refused }: ReadServers,
): void {
  for (const { name, problem, nextStep, isOff } of refused) {
    if (isOff) continue;
    api.diagnose({ level: "error", message: `MCP server "${name}" ${problem}`, hint: nextStep });
  }
  for (const settings of servers) {
    const unpinned = unpinnedPackage(settings);
    if (unpinned === undefined) continue;
    api.diagnose({
      level: "warn",
      message: `MCP server "${settings.name}" runs the newest version of ${unpinned} at each start, so its code can change without notice`,
      hint: `name a version, for example \`${unpinned}@1.2.3\`, in mcpServers.${settings.name}.args`,
    });
  }
}

const RUNNERS: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx", "uvx"]);

/**
 * Returns the package that a server runs in its newest version at each start.
 * @param settings - entry of the server
 * @returns undefined for another program, and for a package with a version
 */
export function unpinnedPackage({ target }: Pick<ServerSettings, "target">): string | undefined {
  if (target.kind !== "stdio") return undefined;
  const program =
    target.command
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(?:cmd|exe)$/, "") ?? "";
  if (!RUNNERS.has(program)) return undefined;
  const named = target.args.find((each) => !each.startsWith("-"));
  if (named === undefined || /^(?:[./~]|[a-z]+:)/.test(named)) return undefined;
  const [, name = named, version] = /^(@?[^@]+)(?:@(.+))?$/.exec(named.replace("==", "@")) ?? [];
  return version === undefined || version === "latest" ? name : undefined;
}
