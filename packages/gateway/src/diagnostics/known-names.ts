import { HOST_CHANNELS } from "@openclaw/messaging";
import { createDemoProvider } from "@openclaw/models";
import type { DiscoveredPlugin } from "@openclaw/plugin-discovery";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import { HOOK_NAMES } from "@openclaw/plugin-sdk/hooks";
import { localEmbeddings } from "../host/embeddings/local-provider.js";
import type { OfferedTools } from "../host/policy.js";
import { HOST_TOOL_NAMES } from "../host/tools/names.js";
import { LOG_SUBSYSTEMS } from "../state/log.js";
import type { NamedKind } from "./named-references.js";
import type { KnownNames } from "./unknown-names.js";

/** Plugins and channels of a running host in addition to those of files. */
export type RunningNames = Pick<
  PluginGeneration,
  | "agentHarnesses"
  | "channels"
  | "plugins"
  | "providers"
  | "speechProviders"
  | "tools"
  | "webSearchProviders"
>;

/** Kinds that a manifest declares, by the field of `contracts` that older hosts read too. */
const CONTRACTS = {
  "agent harness": "agentHarnesses",
  channel: "channels",
  "embedding provider": "memoryEmbeddingProviders",
  provider: "providers",
  "speech provider": "speechProviders",
  "web search provider": "webSearchProviders",
} as const;

/** Plugin as its manifest describes it, loaded or not. */
type DeclaringPlugin = Pick<
  DiscoveredPlugin,
  "id" | "origin" | "permissions" | "contracts" | "legacyIds"
>;

type DeclaredKind = keyof typeof CONTRACTS;

/**
 * Returns the names that the plugins of an installation declare, and those that a running host registered (GW-280). Plugins
 * that are off count: they exist. No plugin is loaded.
 * @param plugins - installed plugins
 * @param running - registrations of the running host; undefined without one
 * @param made - tools that plugins offer besides, while they run
 */
export function knownNames(
  plugins: readonly DeclaringPlugin[],
  running: RunningNames | undefined,
  made: readonly OfferedTools[] = [],
): KnownNames {
  const declared = (kind: DeclaredKind) => plugins.flatMap((plugin) => namesOf(plugin, kind) ?? []);
  const loaded = new Set((running?.plugins ?? []).map(({ id }) => id));
  const isOpen = (kind: DeclaredKind) =>
    plugins.some(
      (plugin) =>
        plugin.origin !== "bundled" &&
        namesOf(plugin, kind) === undefined &&
        // The registrations of a loaded plugin are known.
        !loaded.has(plugin.id),
    );
  const kinds = Object.keys(CONTRACTS).filter(isDeclaredKind).filter(isOpen);
  const demo = createDemoProvider();
  const providers = [
    demo.id,
    ...declared("provider"),
    ...(running?.providers ?? []).map(({ provider }) => provider.id),
  ];
  const offered = [...toolsOf(plugins, running), ...made];
  return {
    names: {
      "agent harness": [
        ...["openclaw", "auto"],
        ...declared("agent harness"),
        ...(running?.agentHarnesses ?? []).map(({ harness }) => harness.id),
      ],
      channel: [
        ...HOST_CHANNELS,
        ...declared("channel"),
        ...(running?.channels ?? []).map(({ id }) => id),
      ],
      "embedding model": localEmbeddings().listEmbeddingModels(),
      "embedding provider": ["local", ...providers, ...declared("embedding provider")],
      hook: HOOK_NAMES,
      "log subsystem": LOG_SUBSYSTEMS,
      plugin: [
        ...plugins.flatMap(({ id, legacyIds = [] }) => [id, ...legacyIds]),
        ...(running?.plugins ?? []).map(({ id }) => id),
      ],
      provider: providers,
      "speech provider": [
        ...declared("speech provider"),
        ...(running?.speechProviders ?? []).map(({ provider }) => provider.id),
      ],
      tool: [...HOST_TOOL_NAMES, ...offered.flatMap(({ names }) => names)],
      "web search provider": [
        ...declared("web search provider"),
        ...(running?.webSearchProviders ?? []).map(({ provider }) => provider.id),
      ],
    },
    open: new Set<NamedKind>([
      ...kinds,
      ...(kinds.includes("provider") ? MODEL : []),
      ...(plugins.some(offersAnyTool) ? TOOL : []),
    ]),
    models: { [demo.id]: [demo.defaultModel] },
    tools: offered,
  };
}

const MODEL = ["model"] as const;
const TOOL = ["tool"] as const;

/** Tools of bundled plugins are declared, or have the name of their server. */
function offersAnyTool({ origin, permissions }: DeclaringPlugin): boolean {
  return origin !== "bundled" && (permissions.tools ?? []).includes("*");
}

function isDeclaredKind(kind: string): kind is DeclaredKind {
  return Object.hasOwn(CONTRACTS, kind);
}

/** Returns undefined for a plugin whose manifest does not say. */
function namesOf(plugin: DeclaringPlugin, kind: DeclaredKind): readonly string[] | undefined {
  const { permissions, contracts } = plugin;
  if (kind === "channel" || kind === "provider") return permissions[CONTRACTS[kind]];
  return contracts?.[CONTRACTS[kind]];
}

function toolsOf(
  plugins: readonly DeclaringPlugin[],
  running: RunningNames | undefined,
): readonly OfferedTools[] {
  const declared = plugins.map(({ id, permissions }) => ({
    ...{ pluginId: id, optional: false },
    names: (permissions.tools ?? []).filter((name) => !name.includes("*")),
  }));
  return [...declared, ...(running?.tools ?? [])];
}
