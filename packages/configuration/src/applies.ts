/**
 * Way in which a running gateway applies a changed value: `hot` to the next use, `plugin` by reloading the plugin,
 * `channel` by reconnecting the channel, `listener` by opening its listener again, `restart` after a restart (GW-006).
 */
export type Applies = "hot" | "plugin" | "channel" | "listener" | "restart";

/** The table of GW-006: the longest pattern that matches a key decides; `*` stands for any key. */
const TABLE: readonly (readonly [pattern: string, applies: Applies])[] = [
  ["$schema", "hot"],
  ["gateway", "listener"],
  ["gateway.enabled", "restart"],
  ["gateway.shutdownTimeoutMs", "hot"],
  ["gateway.unknownCommands", "hot"],
  ["gateway.openai", "hot"],
  ["gateway.anthropic", "hot"],
  ["logging", "hot"],
  ["streaming", "hot"],
  ["agents.*.tools", "hot"],
  ["agents.*.model", "hot"],
  ["agents.*.fallbacks", "hot"],
  ["agents.*.agentRuntime", "hot"],
  ["agents.*.default", "hot"],
  ["agents.*.instructions", "hot"],
  ["agents.*.contextTokens", "hot"],
  ["agents.*.workspace", "hot"],
  ["agents.defaults", "restart"],
  ["agents.defaults.model", "hot"],
  ["agents.defaults.workspace", "plugin"],
  ["agents.defaults.instructions", "hot"],
  ["agents.defaults.maxIterations", "hot"],
  ["agents.defaults.agentRuntime", "hot"],
  ["agents.defaults.budget", "hot"],
  ["agents.defaults.fallbacks", "hot"],
  ["agents.defaults.contextTokens", "hot"],
  ["agents.defaults.compactionThreshold", "hot"],
  ["agents.defaults.subagents", "hot"],
  ["agents.maxConcurrentTurns", "hot"],
  ["bindings", "hot"],
  ["models", "hot"],
  ["session", "hot"],
  ["inbox", "hot"],
  ["jobs", "hot"],
  ["routines", "hot"],
  ["heartbeat", "hot"],
  ["approvals", "hot"],
  ["webhooks", "hot"],
  ["store.retention", "hot"],
  ["tools.profile", "hot"],
  ["tools.profiles", "hot"],
  ["tools.allow", "hot"],
  ["tools.deny", "hot"],
  ["tools.alsoAllow", "hot"],
  ["tools.byProvider", "hot"],
  ["tools.providers", "hot"],
  ["tools.default", "hot"],
  ["tools.groups", "hot"],
  ["tools.groupPolicies", "hot"],
  ["tools.subagents", "hot"],
  ["tools.sandbox", "hot"],
  ["tools.timeouts", "hot"],
  ["tools.webSearch", "hot"],
  ["tools.maxParallel", "hot"],
  ["tools.search", "hot"],
  ["tools.rateLimits", "hot"],
  ["tools.approval", "hot"],
  ["tools.http", "hot"],
  ["tools.fs", "hot"],
  ["tools.sessions", "hot"],
  ["tools.exec", "hot"],
  ["tools.policyLog", "hot"],
  ["groups", "hot"],
  ["channels", "channel"],
  ...[
    "dmPolicy",
    "groupPolicy",
    "allowFrom",
    "owners",
    "groups",
    "senders",
    "streaming",
    "reply",
  ].map((key) => [`channels.*.${key}`, "hot"] as const),
  ["sandbox", "hot"],
  ["safety", "hot"],
  ["embeddings", "hot"],
  ["speech", "hot"],
  ["skills", "hot"],
  ["mcpServers", "hot"],
  ["plugins", "plugin"],
];

const PATTERNS = TABLE.map(([pattern, applies]) => ({ pattern: pattern.split("."), applies }));

/**
 * Returns how a running gateway applies a change of a key. A key that the table does not have needs a
 * restart, so that a new one is never applied halfway.
 * @param path - keys from the root
 */
export function appliesOf(path: readonly string[]): Applies {
  let best: (typeof PATTERNS)[number] | undefined;
  for (const row of PATTERNS) {
    const matches =
      row.pattern.length <= path.length &&
      row.pattern.every((key, index) => key === "*" || key === path[index]);
    if (matches && isCloser(row.pattern, best?.pattern)) best = row;
  }
  return best?.applies ?? "restart";
}

/** A longer pattern is closer, and of two of one length the one with fewer `*`. */
function isCloser(pattern: readonly string[], other: readonly string[] | undefined): boolean {
  if (other === undefined || pattern.length > other.length) return true;
  const wildcards = (keys: readonly string[]) => keys.filter((key) => key === "*").length;
  return pattern.length === other.length && wildcards(pattern) < wildcards(other);
}
