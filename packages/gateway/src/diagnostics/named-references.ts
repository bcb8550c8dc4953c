import type { OpenClawConfiguration } from "@openclaw/configuration";

/** Kind of thing that a configuration names. */
export type NamedKind =
  | "agent"
  | "agent harness"
  | "channel"
  | "embedding model"
  | "embedding provider"
  | "hook"
  | "log subsystem"
  | "model"
  | "plugin"
  | "provider"
  | "skill"
  | "speech provider"
  | "tool"
  | "web search provider";

/** Name of something outside of the configuration's own value, with its location. */
export interface NamedReference {
  readonly kind: NamedKind;
  readonly name: string;
  readonly path: readonly (string | number)[];
  /** True when the gateway uses the thing; false for a rule or a list, which may name what is installed later. */
  readonly isUsed: boolean;
}

/** Step of a pattern: `*` is each value of an object, `[]` each item of a list, `@` each key of an object. */
type Pattern = readonly [kind: NamedKind, use: "used" | "listed", path: string];

/** Keys that name something. Lists of tools are entries of the tool policy, which checks them by itself. */
const PATTERNS: readonly Pattern[] = [
  ["model", "used", "agents.*.model"],
  ["model", "used", "agents.*.fallbacks.[]"],
  ["model", "used", "agents.*.fallbacks.[].model"],
  ["agent harness", "used", "agents.*.agentRuntime.id"],
  ["model", "used", "models.routing.*"],
  ["model", "listed", "models.fallbacks.@"],
  ["model", "used", "models.fallbacks.*.[]"],
  ["model", "used", "models.fallbacks.*.[].model"],
  ["model", "listed", "models.known.@"],
  ["provider", "listed", "models.agentRuntimes.@"],
  ["agent harness", "used", "models.agentRuntimes.*.id"],
  ["model", "used", "gateway.openai.models.[]"],
  ["model", "used", "heartbeat.model"],
  ["agent", "used", "heartbeat.agentId"],
  ["channel", "used", "heartbeat.channel"],
  ["agent", "used", "webhooks.*.agentId"],
  ["channel", "used", "webhooks.*.deliver.channel"],
  ["channel", "used", "bindings.[].match.channel"],
  ["channel", "used", "approvals.delivery.*.targets.[].channel"],
  ["agent", "listed", "approvals.delivery.*.agentFilter.[]"],
  ["agent", "listed", "skills.agents.@"],
  ["skill", "listed", "skills.hide.[]"],
  ["skill", "listed", "skills.agents.*.hide.[]"],
  ["log subsystem", "used", "logging.levels.@"],
  ["provider", "listed", "tools.byProvider.@"],
  ["provider", "listed", "tools.providers.@"],
  ["provider", "listed", "agents.*.tools.byProvider.@"],
  ["provider", "listed", "agents.*.tools.providers.@"],
  ["hook", "listed", "plugins.entries.*.hooks.timeouts.@"],
  ["plugin", "listed", "plugins.allow.[]"],
  ["plugin", "listed", "plugins.deny.[]"],
  ["plugin", "listed", "plugins.disabled.[]"],
  ["plugin", "listed", "plugins.enabled.[]"],
  ["plugin", "used", "plugins.slots.*"],
  ["tool", "listed", "tools.approval.@"],
  ["tool", "listed", "tools.timeouts.@"],
  ["tool", "listed", "tools.rateLimits.@"],
  ["provider", "listed", "tools.byProvider.@"],
  ["provider", "listed", "tools.providers.@"],
  ["channel", "listed", "tools.groupPolicies.[].channel"],
  ["web search provider", "used", "tools.webSearch.provider"],
  ["speech provider", "used", "speech.provider"],
  ["embedding provider", "used", "embeddings.provider"],
];

/**
 * Returns the names of agents, models, plugins and others in a configuration.
 * @param configuration - configuration that matches its schema
 */
export function namedReferences(configuration: OpenClawConfiguration): readonly NamedReference[] {
  const found = PATTERNS.flatMap(([kind, use, pattern]) =>
    stringsAt(configuration, pattern.split(".")).map(({ name, path }) => ({
      ...{ kind, name, path },
      isUsed: use === "used",
    })),
  );
  const ofClients = stringsAt(configuration, ["gateway", "anthropic", "models", "*"]).flatMap(
    ({ name, path }): NamedReference[] => {
      const [first = "", ...rest] = name.split("/");
      if (first !== "openclaw") return [{ kind: "model", name, path, isUsed: true }];
      return rest.map((agent) => ({ kind: "agent", name: agent, path, isUsed: true }));
    },
  );
  const approvers = stringsAt(configuration, ["approvals", "approvers", "[]"]).flatMap(
    ({ name, path }) => {
      const [channel = "", ...sender] = name.split(":");
      return sender.length === 0
        ? []
        : [{ kind: "channel" as const, name: channel, path, isUsed: true }];
    },
  );
  return [...found, ...ofClients, ...approvers, ...embeddingNames(configuration)];
}

/** Names of the embedding model: that of its provider, or one of the models that need no network. */
function embeddingNames({ embeddings = {} }: OpenClawConfiguration): readonly NamedReference[] {
  const { model, provider = "local" } = embeddings;
  if (model === undefined) return [];
  const path = ["embeddings", "model"];
  const [first = "", ...rest] = model.split("/");
  if (rest.length === 0) {
    return provider === "local"
      ? [{ kind: "embedding model", name: model, path, isUsed: true }]
      : [];
  }
  if (first === "local") {
    return [{ kind: "embedding model", name: rest.join("/"), path, isUsed: true }];
  }
  // Names of models have slashes too.
  return [{ kind: "embedding provider", name: first, path, isUsed: provider === "local" }];
}

/** String in a configuration, with its location. */
export interface LocatedString {
  readonly name: string;
  readonly path: readonly (string | number)[];
}

/**
 * Returns the strings at a pattern.
 * @param value - configuration, or a part of it
 * @param pattern - keys; `*` is each value of an object, `[]` each item of a list, `@` each key of an object
 * @param path - keys and indexes above the value
 */
export function stringsAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  path: readonly (string | number)[] = [],
): readonly LocatedString[] {
  if (step === undefined) return typeof value === "string" ? [{ name: value, path }] : [];
  if (step === "[]") {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.flatMap((item, index) => stringsAt(item, rest, [...path, index]));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  if (step === "@") return Object.keys(value).map((name) => ({ name, path: [...path, name] }));
  return Object.entries(value).flatMap(([key, member]) =>
    step === "*" || step === key ? stringsAt(member, rest, [...path, key]) : [],
  );
}
