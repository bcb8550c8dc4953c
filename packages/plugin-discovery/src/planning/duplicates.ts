import type { PluginOrigin } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginsConfiguration } from "../configuration/plugins-configuration.js";
import type { PluginDiagnostic } from "../discovery/diagnostic.js";
import type { PluginCandidate } from "../discovery/discovery.js";

const RANK: Readonly<Record<PluginOrigin, number>> = {
  bundled: 0,
  workspace: 1,
  global: 2,
  config: 3,
};

/** Candidates with unique ids, and the rejected duplicates. */
export interface UniqueCandidates {
  readonly kept: readonly PluginCandidate[];
  readonly given: readonly {
    readonly loser: PluginCandidate;
    readonly diagnostic: PluginDiagnostic;
    /** Configuration line that would use the loser instead. */
    readonly line: string;
  }[];
}

/**
 * Chooses between plugins with the same id: the first one, unless the operator enabled a later one explicitly, by its
 * path or by its entry (D2, PLUG-002). Replacing a bundled guard also requires `plugins.entries.<id>.replaceBundled`.
 * @param candidates - in the order of origins
 * @param plugins - the `plugins` section of the configuration
 */
export function resolveDuplicates(
  candidates: readonly PluginCandidate[],
  plugins: PluginsConfiguration,
): UniqueCandidates {
  const winners = new Map<string, PluginCandidate>();
  const losers: PluginCandidate[] = [];
  for (const candidate of candidates) {
    const first = winners.get(candidate.id);
    if (first === undefined) {
      winners.set(candidate.id, candidate);
    } else if (takesOver(candidate, first, plugins)) {
      winners.set(candidate.id, candidate);
      losers.push(first);
    } else {
      losers.push(candidate);
    }
  }
  const kept = candidates.filter((candidate) => winners.get(candidate.id) === candidate);
  return { kept, given: losers.map((loser) => rejected(loser, winners.get(loser.id))) };
}

function takesOver(
  later: PluginCandidate,
  first: PluginCandidate,
  plugins: PluginsConfiguration,
): boolean {
  const entries = plugins.entries ?? {};
  const entry = Object.hasOwn(entries, later.id) ? entries[later.id] : undefined;
  if (isBundledGuard(first) && entry?.replaceBundled !== true) return false;
  if (later.named) return true;
  return entry?.enabled === true && !first.named && RANK[later.origin] > RANK[first.origin];
}

/** Returns true for a bundled plugin whose manifest declares that it guards tool calls or messages. */
function isBundledGuard({ origin, manifest }: PluginCandidate): boolean {
  const { hooks = [], trustedToolPolicies = [] } = manifest?.contracts ?? {};
  const decides =
    trustedToolPolicies.length > 0 || hooks.some((hook) => hook.startsWith("before_"));
  return origin === "bundled" && decides;
}

function rejected(
  loser: PluginCandidate,
  winner: PluginCandidate | undefined,
): UniqueCandidates["given"][number] {
  const { id, rootDir } = loser;
  const isGuard = winner !== undefined && isBundledGuard(winner);
  const isReplaced = winner !== undefined && RANK[winner.origin] > RANK[loser.origin];
  const line = isGuard
    ? `plugins.entries.${id}: { enabled: true, replaceBundled: true }`
    : `plugins.entries.${id}.enabled: true`;
  const diagnostic: PluginDiagnostic = {
    level: "warn",
    code: "duplicate-id",
    message: `plugin "${id}" was found twice: ${winner?.rootDir ?? ""} is used, ${rootDir} is not`,
    pluginId: id,
    source: rootDir,
    hint: isReplaced
      ? `it was chosen by its path or by plugins.entries.${id}; take that back to use the other one, or remove one of them`
      : isGuard
        ? `the one that is used comes with the host and guards tool calls; set ${line} to replace it, or remove the other one`
        : `set ${line} to use the one of the later origin, or remove one of them`,
  };
  return { loser, diagnostic, line };
}
