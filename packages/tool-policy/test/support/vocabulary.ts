import fc from "fast-check";
import {
  LAYER_NAMES,
  type PolicyContext,
  type PolicyLayer,
  type PolicyTool,
  type ToolOrigin,
} from "../../src/index.js";

/** The product's names, written down a second time from the contract (POL-017, POL-018). */
export const ALIASES = new Map([
  ["bash", "exec"],
  ["shell", "exec"],
  ["apply-patch", "apply_patch"],
  ["read_file", "read"],
  ["write_file", "write"],
  ["ls", "list"],
  ["list_dir", "list"],
]);

export const GROUPS = new Map([
  ["group:fs", ["read", "write", "edit", "apply_patch", "list", "grep"]],
  ["group:runtime", ["exec", "process"]],
  ["group:web", ["http", "web_fetch", "web_search"]],
  ["group:util", ["time", "json", "echo", "skill"]],
  ["group:memory", ["memory_*"]],
  ["group:sessions", ["sessions_*", "session_status", "subagents"]],
  ["group:messaging", ["message"]],
  [
    "group:automation",
    ["cron", "routine_*", "create_job", "list_jobs", "job_status", "cancel_job"],
  ],
  [
    "group:gateway",
    [
      "gateway",
      "tool_search",
      "tool_list",
      "tool_install",
      "tool_auth",
      "tool_activate",
      "tool_remove",
      "build_software",
    ],
  ],
]);

export const ORIGIN_GROUPS: Readonly<Record<ToolOrigin, string>> = {
  core: "group:core",
  plugin: "group:plugins",
  mcp: "group:mcp",
  wasm: "group:wasm",
  client: "group:client",
};

export const OWNER_ONLY = [...(GROUPS.get("group:gateway") ?? []), "cron"];

export const CORE_NAMES = [...GROUPS.values()].flat().filter((name) => !name.includes("*"));

const TOOL_NAMES = [
  ...CORE_NAMES,
  "memory_search",
  "sessions_send",
  "sky",
  "weather",
  "w_a-b",
  "a",
];

/** Few names in many spellings, so that entries and tools meet often. */
const TEXTS = [
  ...["exec", "write", "edit", "apply_patch", "sky", "weather"].flatMap((name) => [name, name]),
  ...TOOL_NAMES,
  ...ALIASES.keys(),
  ...GROUPS.keys(),
  ...Object.values(ORIGIN_GROUPS),
  ...["group:own", "group:outer", "group:own", "group:unknown", "group:"],
  ...["plugin:sky", "plugin:exec", "plugin:", "sky"],
  ...["*", "??*", "e*", "*e*", "w*r", "?ky", "*_*", "web_?e*h", "tool_*", "x*"],
  ...["exéc", "x😀", "?😀"],
];

export const anyEntry = fc.constantFrom(...TEXTS);
export const anyList = fc.array(anyEntry, { maxLength: 3 });

/** Groups of groups without a cycle. */
export const anyGroups = fc.record({
  own: fc.array(
    anyEntry.filter((entry) => !entry.startsWith("group:o")),
    { maxLength: 3 },
  ),
  outer: fc.array(
    anyEntry.filter((entry) => entry !== "group:outer"),
    { maxLength: 3 },
  ),
});

const anyRules = fc.record(
  {
    allow: anyList,
    deny: anyList,
    alsoAllow: anyList,
  },
  { requiredKeys: [] },
);

function layersOf(rules: typeof anyRules): fc.Arbitrary<readonly PolicyLayer[]> {
  return fc
    .tuple(rules, rules, rules, rules, rules, rules, rules)
    .map((each) => LAYER_NAMES.map((layer, index) => ({ layer, ...each[index] })));
}

/** One layer of each name, in order. */
export const anyLayers = layersOf(anyRules);

/** The same, most of them without rules, so that few things decide. */
export const sparseLayers = layersOf(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.record({ deny: anyList }) },
    { weight: 1, arbitrary: fc.record({ allow: anyList }) },
    { weight: 1, arbitrary: anyRules },
  ),
);

/** Tools of every kind, the plainest first. Drawn from a pool: cheap to generate by the thousand. */
const TOOLS = ["exec", "write", "edit", "weather", ...TOOL_NAMES, "shell", "ls", "x😀"].flatMap(
  (name): PolicyTool[] => {
    const tool: PolicyTool = { name, origin: "core", optional: false, aliases: [] };
    return [
      tool,
      { ...tool, origin: "plugin", pluginId: "sky" },
      { ...tool, origin: "plugin", pluginId: "exec", optional: true },
      { ...tool, origin: "plugin", pluginId: "sky", optional: true, aliases: ["bash"] },
      { ...tool, origin: "mcp", optional: true },
      { ...tool, origin: "mcp", pluginId: "other", aliases: ["sky"] },
      { ...tool, origin: "wasm", ownerOnly: true },
      { ...tool, optional: true },
    ];
  },
);
export const anyTool = fc.constantFrom(...TOOLS);

/** All combinations of the conditions of layers and caps. */
const CONTEXTS = [false, true].flatMap((senderIsOwner) =>
  [false, true].flatMap((sandboxed) =>
    [0, 1, 2].flatMap((subagentDepth) =>
      [{}, { groupId: "g" }].flatMap((group) =>
        [{}, { parentPolicy: ["exec", "write_file"] }, { parentPolicy: [] }].flatMap((parent) =>
          [
            {},
            { runAllow: ["group:core", "sky"] },
            { runAllow: ["*"], toolsAllow: ["w*", "exec"] },
            { toolsAllow: [] },
          ].map(
            (run): PolicyContext => ({
              agentId: "main",
              senderIsOwner,
              sandboxed,
              subagentDepth,
              ...group,
              ...parent,
              ...run,
            }),
          ),
        ),
      ),
    ),
  ),
);
export const anyContext = fc.constantFrom(...CONTEXTS);

/** Contexts in which the layers alone decide. */
export const openContext = fc.constantFrom(
  ...CONTEXTS.filter(
    ({ senderIsOwner, runAllow, toolsAllow, parentPolicy }) =>
      senderIsOwner && [runAllow, toolsAllow, parentPolicy].every((list) => list === undefined),
  ),
);
