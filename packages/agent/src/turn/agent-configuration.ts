import { fallbacksSchema } from "@openclaw/models";
import { policyLogSchema } from "@openclaw/store";
import { type Static, Type } from "typebox";
import { DEFAULT_CONTEXT_LIMITS } from "../conversation/compaction-plan.js";
import { agentRuntimeSchema } from "../harness/runtime.js";
import { DEFAULT_DEFERRED } from "../offer/deferral.js";

const milliseconds = Type.Integer({ minimum: 1, maximum: 600_000 });

/** Schema of a budget of model use; 0 for no limit. */
export const budgetSchema = Type.Object(
  {
    maxTokens: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 0,
        description: "Input and output tokens; 0 for no limit.",
      }),
    ),
    maxCostUsd: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 0,
        description: "Cost in US dollars; 0 for no limit.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** Schema of `agents.defaults`: settings of every agent. */
export const agentDefaultsSchema = Type.Object(
  {
    model: Type.Optional(
      Type.String({ minLength: 1, description: "Model of every turn, as provider/model." }),
    ),
    fallbacks: Type.Optional(fallbacksSchema),
    agentRuntime: Type.Optional(agentRuntimeSchema),
    instructions: Type.Optional(
      Type.String({ description: "System prompt instead of the built-in one." }),
    ),
    workspace: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "Folder that tools work in; the current folder of the gateway when absent. A relative path starts at the folder of the configuration file.",
      }),
    ),
    contextTokens: Type.Optional(
      Type.Integer({
        minimum: 1000,
        description:
          "Maximum number of tokens of a conversation; a model with a smaller window counts. The window of the model when absent, and 100000 for a model whose window is not known.",
      }),
    ),
    compactionThreshold: Type.Optional(
      Type.Number({
        minimum: 0.5,
        maximum: 0.95,
        default: DEFAULT_CONTEXT_LIMITS.threshold,
        description: "Fraction of the context window above which a conversation is compacted.",
      }),
    ),
    maxIterations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 50,
        description:
          "Maximum number of model calls in one turn; AGENT_MAX_TOOL_ITERATIONS overrides it.",
      }),
    ),
    budget: Type.Optional(budgetSchema),
    subagents: Type.Optional(
      Type.Object(
        {
          maxDepth: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 5,
              default: 2,
              description: "Maximum depth of nested subagents.",
            }),
          ),
          maxChildren: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 64,
              default: 8,
              description: "Maximum number of subagents of one session at a time.",
            }),
          ),
        },
        { additionalProperties: false, description: "Limits of subagents." },
      ),
    ),
  },
  { additionalProperties: false, description: "Settings of every agent." },
);

/** Settings of every agent, `agents.defaults`. */
export type AgentDefaults = Static<typeof agentDefaultsSchema>;

/** Calls of parallel-safe tools at the same time, unless `tools.maxParallel` says otherwise. */
export const PARALLEL_CALLS = 4;

/** Schemas of the keys of `tools` that control how tools run; tool policy owns the other keys. */
export const toolExecutionSchemas = {
  approval: Type.Optional(
    Type.Record(Type.String(), Type.Enum(["never", "unless-granted", "always"]), {
      "x-key": "tool",
      description: "Approval need instead of the tool's own.",
    }),
  ),
  timeouts: Type.Optional(
    Type.Record(Type.String(), milliseconds, {
      "x-key": "tool",
      description:
        "Deadline of one call in milliseconds, instead of the tool's own or 60000 (exec 120000).",
    }),
  ),
  maxParallel: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      default: PARALLEL_CALLS,
      description: "Maximum number of calls of parallel-safe tools that run at the same time.",
    }),
  ),
  search: Type.Optional(
    Type.Object(
      {
        share: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 1,
            default: 0.1,
            description:
              "Share of the model's context window that the definitions of MCP tools may have. Above it models receive only their names, and load the definitions that they need with tool_search. 0 always defers them, 1 practically never.",
          }),
        ),
        defer: Type.Optional(
          Type.Array(
            Type.String({
              minLength: 1,
              maxLength: 128,
              description: "A tool name, a pattern, group:<name> or plugin:<id>.",
              examples: ["memory_spaces", "routine_*", "group:automation"],
            }),
            {
              default: [...DEFAULT_DEFERRED],
              description:
                "Tools that models need rarely: they receive the name and one line, and load the definition with tool_search. [] defers none of them.",
              examples: [["group:automation"]],
            },
          ),
        ),
      },
      { additionalProperties: false, description: "Definitions that models load when needed." },
    ),
  ),
  rateLimits: Type.Optional(
    Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 100_000 }), {
      "x-key": "tool",
      description: "Maximum number of calls of one user per minute; 0 for no limit.",
    }),
  ),
  policyLog: Type.Optional(policyLogSchema),
  fs: Type.Optional(
    Type.Object(
      {
        roots: Type.Optional(
          Type.Array(Type.String({ minLength: 1 }), {
            description: "Folders that file tools can use in addition to the workspace.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ),
  exec: Type.Optional(
    Type.Object(
      {
        sandbox: Type.Optional(
          Type.Enum(["auto", "required", "off"], {
            default: "auto",
            description:
              "auto: commands that only read run in a read-only sandbox where one works. required: every command runs in the system's sandbox or is denied. off: no sandbox.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ),
  sessions: Type.Optional(
    Type.Object(
      {
        visibility: Type.Optional(
          Type.Enum(["sender", "agent"], {
            description:
              "Sessions that sessions_list, sessions_history and session_status reach. sender (default): those in which only the sender of the current message wrote. agent: all of the agent.",
          }),
        ),
      },
      { additionalProperties: false, description: "What the session tools reach." },
    ),
  ),
  webSearch: Type.Optional(
    Type.Object(
      {
        provider: Type.Optional(
          Type.String({
            minLength: 1,
            description:
              "Provider of web_search, as a plugin registers it, for example searxng; without it the tool is not offered.",
          }),
        ),
      },
      { additionalProperties: false, description: "Web search." },
    ),
  ),
  http: Type.Optional(
    Type.Object(
      {
        allowHosts: Type.Optional(
          Type.Array(Type.String({ minLength: 1 }), {
            description: "host:port pairs that may use plain http and private addresses.",
          }),
        ),
        credentials: Type.Optional(
          Type.Array(
            Type.Object(
              {
                host: Type.String({
                  pattern: "^[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$",
                  description:
                    "Host, with https and its usual port, or host:port; other hosts, and redirects to them, receive nothing.",
                }),
                headers: Type.Record(
                  Type.String({ pattern: "^[A-Za-z0-9-]{1,64}$" }),
                  Type.String({ minLength: 1, maxLength: 8192, pattern: "^[ -~]+$" }),
                  {
                    "x-key": "header",
                    minProperties: 1,
                    description:
                      "Headers that are added; a value can refer to a stored secret by its name.",
                  },
                ),
              },
              { additionalProperties: false },
            ),
            {
              description:
                "Credentials that the host adds to requests of http and web_fetch after all checks; the model never sees them.",
            },
          ),
        ),
      },
      { additionalProperties: false },
    ),
  ),
};

/** Execution settings of tools: the part of the `tools` section that the agent owns. */
export type ToolExecutionConfiguration = Static<
  ReturnType<typeof Type.Object<typeof toolExecutionSchemas>>
>;
