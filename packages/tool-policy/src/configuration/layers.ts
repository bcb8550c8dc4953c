import type { ValueSchema } from "@openclaw/foundation";
import { LayerCheck } from "../checks/layer.js";
import type { PolicyLayer } from "../layers/layer.js";
import type { PolicyProblem, PolicyWarning } from "../layers/problem.js";
import type { PolicyGroup } from "../matching/tool-group.js";
import { normalizeName } from "../matching/tool-name.js";
import type { CompileOptions } from "../policy/policy.js";
import { type AgentFiles, profileExtensions, readAgent } from "./agents.js";
import { groupLayers } from "./groups.js";
import { sandboxLayers, subagentLayers } from "./limits.js";
import { ConfigNode, type Findings, type Locate } from "./node.js";
import { ConfigProfiles } from "./profiles.js";
import { providerEntries, providerLayers } from "./providers.js";
import { layerOf, readRules } from "./rules.js";
import {
  AGENT_SCHEMA,
  type AgentPolicyConfig,
  type ToolPolicyConfig,
  type ToolsConfig,
  toolPolicyConfigSchema,
} from "./schema.js";
import { shapeProblems } from "./shape-problem.js";

/** Depth from which subagents cannot spawn subagents, unless the host sets another. */
const DEFAULT_MAXIMUM_DEPTH = 2;

const NOWHERE: Locate = () => undefined;

/** The configuration file in the folder of one agent. */
export interface AgentFolderConfig {
  readonly agentId: string;
  /** The parsed document; its `tools` are read. */
  readonly config: AgentPolicyConfig;
  readonly locate?: Locate;
}

/** Options for reading the configuration. */
export interface ConfigLayersOptions {
  /** Returns file, line and column of the value at a path of the document. */
  readonly locate?: Locate;
  readonly agentFolders?: readonly AgentFolderConfig[];
  /** Depth from which subagents cannot spawn subagents; default 2. */
  readonly maximumSubagentDepth?: number;
  /** Keys of `tools` that other packages own; any other key outside the schema is an error. */
  readonly otherToolKeys?: readonly string[];
}

/** Configuration in the form that `compilePolicy` takes. */
export interface ConfigLayers {
  /** Layers; a single one that denies everything when there are errors. */
  readonly layers: readonly PolicyLayer[];
  /** Groups and default, to pass on together with the known tools. */
  readonly options: Pick<CompileOptions, "default" | "groups">;
  readonly warnings: readonly PolicyWarning[];
  readonly errors: readonly PolicyProblem[];
}

function collectAgents(
  root: ConfigNode<ToolPolicyConfig>,
  folders: readonly AgentFolderConfig[],
  findings: Findings,
): ReadonlyMap<string, AgentFiles> {
  const agents = new Map<string, AgentFiles>();
  for (const [agentId, agent] of root.get("agents")?.entries() ?? []) {
    const main = agent.fitting(AGENT_SCHEMA)?.get("tools");
    if (main === undefined) continue;
    if (agentId === "defaults") {
      main.error(
        "POLICY_UNKNOWN_KEY",
        "agents.defaults cannot have tools",
        "move them to tools at the root, which applies to every agent",
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

function readGroups(tools: ConfigNode<ToolsConfig>): readonly PolicyGroup[] {
  return (tools.get("groups")?.entries() ?? []).map(([name, node]) => ({
    name,
    members: node.list(),
    source: node.source,
  }));
}

/** The schema of a document in whose `tools` other packages have keys. */
function schemaWith(otherToolKeys: readonly string[]): ValueSchema {
  const { properties, ...rest } = toolPolicyConfigSchema;
  const others = Object.fromEntries(otherToolKeys.map((key) => [key, {}]));
  const tools = {
    ...properties.tools,
    properties: { ...properties.tools.properties, ...others },
  };
  return { ...rest, properties: { ...properties, tools } };
}

/**
 * Turns configuration into finished layers (POL-008 to 014). Reads `tools`, `agents.<id>.tools`,
 * `groups`, `channels.<channel>.groups` and `sandbox.tools`, and ignores other sections. The shape
 * is checked against {@link toolPolicyConfigSchema} first: a document that does not match gives one
 * layer that denies everything, and is not checked further.
 * @param config - the parsed configuration as a whole
 * @param options - locations of values, and files of agents
 * @returns layers with their sources, and all problems (POL-037)
 */
export function layersFromConfig(
  config: ToolPolicyConfig,
  {
    locate = NOWHERE,
    agentFolders = [],
    maximumSubagentDepth = DEFAULT_MAXIMUM_DEPTH,
    otherToolKeys = [],
  }: ConfigLayersOptions = {},
): ConfigLayers {
  // Not trusted to match its type: a parsed file must never open the policy.
  const errors = [
    ...shapeProblems(config, schemaWith(otherToolKeys), locate),
    ...agentFolders.flatMap((folder) =>
      shapeProblems(folder.config, AGENT_SCHEMA, folder.locate ?? NOWHERE),
    ),
  ];
  if (errors.length > 0) return closedLayers({ errors, warnings: [] }, locate);

  const findings: Findings = { errors: [], warnings: [] };
  const root = new ConfigNode(config, [], locate, findings);
  const tools = root.get("tools") ?? new ConfigNode<ToolsConfig>({}, ["tools"], locate, findings);
  const profiles = new ConfigProfiles(tools.get("profiles"));
  const rootRules = readRules(tools);
  const agents = [...collectAgents(root, agentFolders, findings)].map(([agentId, files]) =>
    readAgent(agentId, files, profiles),
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
  findings.errors.push(...new LayerCheck(layers, groups, tools.source).problems);
  if (findings.errors.length > 0) return closedLayers(findings, locate);
  return { layers, options: { default: tools.value.default ?? "allow", groups }, ...findings };
}

/**
 * Returns layers that deny everything, so that a policy with errors never allows anything
 * (POL-038).
 */
function closedLayers(findings: Findings, locate: Locate): ConfigLayers {
  const source = { ...locate(["tools"]), key: "tools" };
  const closed: PolicyLayer = { layer: "global", deny: ["*"], source };
  return { layers: [closed], options: { default: "deny" }, ...findings };
}
