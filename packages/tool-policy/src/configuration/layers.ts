import { LayerCheck } from "../checks/layer.js";
import type { PolicyLayer } from "../layers/layer.js";
import type { PolicyProblem, PolicyWarning } from "../layers/problem.js";
import type { PolicyGroup } from "../matching/tool-group.js";
import { normalizeName } from "../matching/tool-name.js";
import type { CompileOptions } from "../policy/policy.js";
import { AGENT_TOOL_KEYS, type AgentFiles, profileExtensions, readAgent } from "./agents.js";
import { groupLayers } from "./groups.js";
import { sandboxLayers, subagentLayers } from "./limits.js";
import { ConfigNode, type Findings, type Locate } from "./node.js";
import { ConfigProfiles } from "./profiles.js";
import { providerEntries, providerLayers } from "./providers.js";
import { layerOf, readRules } from "./rules.js";

/** Depth of subagents that cannot have children, unless the host sets another. */
const DEFAULT_MAXIMUM_DEPTH = 2;

const LISTS = ["allow", "deny", "alsoAllow"] as const;

/** Keys of `tools` that this package owns. */
const TOOL_KEYS = [
  ...AGENT_TOOL_KEYS,
  "default",
  "groups",
  "profiles",
  "sandbox",
  "subagents",
] as const;

/** Keys of `tools` that other packages own; their contents are not judged here. */
const OTHER_TOOL_KEYS = [
  "approval",
  "elevated",
  "exec",
  "fs",
  "http",
  "maxParallel",
  "policyLog",
  "rateLimits",
  "timeouts",
  "webSearch",
] as const;

const NOWHERE: Locate = () => undefined;

/** The configuration file in the folder of one agent. */
export interface AgentFolderConfig {
  readonly agentId: string;
  /** The parsed document; its `tools` are read. */
  readonly config: unknown;
  readonly locate?: Locate;
}

/** How configuration is read. */
export interface ConfigLayersOptions {
  /** Finds file, line and column of the value at a path of the document. */
  readonly locate?: Locate;
  readonly agentFolders?: readonly AgentFolderConfig[];
  /** Depth of subagents that cannot have children of their own; default 2. */
  readonly maximumSubagentDepth?: number;
  /** Further keys under `tools` that belong to someone else. */
  readonly otherToolKeys?: readonly string[];
}

/** Configuration as `compilePolicy` takes it. */
export interface ConfigLayers {
  /** With errors: one layer that denies everything. */
  readonly layers: readonly PolicyLayer[];
  /** Groups and default, to be handed on together with the known tools. */
  readonly options: Pick<CompileOptions, "default" | "groups">;
  readonly warnings: readonly PolicyWarning[];
  readonly errors: readonly PolicyProblem[];
}

function collectAgents(
  root: ConfigNode,
  folders: readonly AgentFolderConfig[],
  findings: Findings,
): ReadonlyMap<string, AgentFiles> {
  const agents = new Map<string, AgentFiles>();
  for (const [agentId, agent] of root.get("agents")?.sections() ?? []) {
    const main = agent.get("tools");
    if (main === undefined) continue;
    if (agentId === "defaults") {
      main.error(
        "POLICY_UNKNOWN_KEY",
        "agents.defaults has no tools of its own",
        "move them to tools at the root, which holds for every agent",
      );
    }
    agents.set(agentId, { main });
  }
  const byName = new Map([...agents.keys()].map((agentId) => [normalizeName(agentId), agentId]));
  for (const { agentId, config, locate = NOWHERE } of folders) {
    const folder = new ConfigNode(config, [], locate, findings).get("tools");
    if (folder === undefined) continue;
    const known = byName.get(normalizeName(agentId)) ?? agentId;
    agents.set(known, { ...agents.get(known), folder });
  }
  return agents;
}

function readGroups(tools: ConfigNode): readonly PolicyGroup[] {
  return (tools.get("groups")?.entries() ?? []).flatMap(([name, node]) => {
    const members = node.list();
    return members === undefined ? [] : [{ name, members, source: node.source }];
  });
}

function readDefault(tools: ConfigNode): "allow" | "deny" {
  const node = tools.get("default");
  if (node === undefined || node.value === "allow") return "allow";
  if (node.value !== "deny") {
    node.error(
      "POLICY_BAD_VALUE",
      `expected "allow" or "deny", got ${JSON.stringify(node.value)}`,
      'write "deny" to admit only what a layer allows',
    );
  }
  return "deny";
}

/**
 * Turns configuration into finished layers (POL-008 to 014). Reads `tools`, `agents.<id>.tools`,
 * `groups`, `channels.<channel>.groups` and `sandbox.tools`, and leaves everything else alone.
 * @param config - the parsed configuration as a whole
 * @param options - places of values, and files of agents
 * @returns layers with their sources, and everything that is wrong (POL-037)
 */
export function layersFromConfig(
  config: unknown,
  {
    locate = NOWHERE,
    agentFolders = [],
    maximumSubagentDepth = DEFAULT_MAXIMUM_DEPTH,
    otherToolKeys = [],
  }: ConfigLayersOptions = {},
): ConfigLayers {
  const findings: Findings = { errors: [], warnings: [] };
  const root = new ConfigNode(config ?? {}, [], locate, findings);
  const tools = root.get("tools") ?? new ConfigNode({}, ["tools"], locate, findings);
  root.entries();
  tools.rejectUnknown([...TOOL_KEYS, ...OTHER_TOOL_KEYS, ...otherToolKeys]);

  const profiles = new ConfigProfiles(tools.get("profiles"));
  const rootRules = readRules(tools, LISTS);
  const agents = [...collectAgents(root, agentFolders, findings)].map(([agentId, files]) =>
    readAgent(agentId, files, profiles, [...OTHER_TOOL_KEYS, ...otherToolKeys]),
  );
  const within = profileExtensions(rootRules, agents);
  const frame = { layer: "profile", slot: "profile", within } as const;
  const profileLayers: PolicyLayer[] = [
    ...profiles.all(tools.sourceOf(["tools", "profiles"]), frame),
    {
      ...frame,
      when: { profile: "*" },
      label: "a profile that is not defined",
      deny: [{ value: "*", source: { key: "tools.profiles.<name>.allow", builtIn: true } }],
      builtIn: true,
    },
  ];
  for (const [node, when] of [
    [tools.get("profile"), {}] as const,
    ...agents.map(({ profile, agentId }) => [profile, { agentId }] as const),
  ]) {
    const layer = node === undefined ? undefined : profiles.select(node, { ...frame, when });
    if (layer !== undefined) profileLayers.push(layer);
  }

  const layers: PolicyLayer[] = [
    ...profileLayers,
    ...providerLayers(
      { entries: providerEntries(tools), layer: "provider", when: {}, slot: "by-provider" },
      profiles,
    ),
    layerOf(rootRules, { layer: "global" }),
    ...agents.flatMap((agent) => agent.layers),
    ...groupLayers(root),
    ...sandboxLayers(root),
    ...subagentLayers(root, maximumSubagentDepth),
  ];
  const groups = readGroups(tools);
  const fallback = readDefault(tools);
  findings.errors.push(...new LayerCheck(layers, groups, tools.source).problems);
  if (findings.errors.length > 0) {
    // A policy that cannot be compiled never becomes one that lets everything through (POL-038).
    const closed: PolicyLayer = { layer: "global", deny: ["*"], source: tools.source };
    return { layers: [closed], options: { default: "deny" }, ...findings };
  }
  return { layers, options: { default: fallback, groups }, ...findings };
}
