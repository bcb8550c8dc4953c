import { policyLogSchema } from "@openclaw/store";
import { type Static, Type } from "typebox";

const milliseconds = Type.Integer({ minimum: 1, maximum: 600_000 });
const names = Type.Array(Type.String({ minLength: 1 }));

/** Schema of a budget: what models may use up; 0 is no limit. */
export const budgetSchema = Type.Object(
  {
    maxTokens: Type.Optional(
      Type.Integer({ minimum: 0, description: "Tokens of input and output; 0 for no limit." }),
    ),
    maxCostUsd: Type.Optional(
      Type.Number({ minimum: 0, description: "Cost in US dollars; 0 for no limit." }),
    ),
  },
  { additionalProperties: false },
);

/** Schema of `agents.defaults`: how agents think. */
export const agentDefaultsSchema = Type.Object(
  {
    model: Type.Optional(
      Type.String({ minLength: 1, description: "provider/model of every turn." }),
    ),
    instructions: Type.Optional(
      Type.String({ description: "System prompt in place of the built-in one." }),
    ),
    contextTokens: Type.Optional(
      Type.Integer({
        minimum: 1000,
        description: "Tokens a conversation may have; default 100,000.",
      }),
    ),
    compactionThreshold: Type.Optional(
      Type.Number({
        minimum: 0.5,
        maximum: 0.95,
        description:
          "Part of contextTokens from which on a conversation is shortened; default 0.8.",
      }),
    ),
    maxIterations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: "Model calls in one turn; default 50.",
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
              description: "How deep child sessions nest; default 2.",
            }),
          ),
          maxChildren: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 64,
              description: "Child sessions that one session may have at once; default 8.",
            }),
          ),
        },
        { additionalProperties: false, description: "Sessions that sessions open." },
      ),
    ),
  },
  { additionalProperties: false },
);

/** How agents think, `agents.defaults`. */
export type AgentDefaults = Static<typeof agentDefaultsSchema>;

/** Schemas of the keys of `tools` that say how tools run; which tools there are is policy's part. */
export const toolExecutionSchemas = {
  approval: Type.Optional(
    Type.Record(Type.String(), Type.Enum(["never", "unless-granted", "always"]), {
      description: "Approval need by tool name, in place of what the tool declares.",
    }),
  ),
  timeouts: Type.Optional(
    Type.Record(Type.String(), milliseconds, { description: "Deadline of one call by tool name." }),
  ),
  maxParallel: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description: "Calls of parallel-safe tools that run together at most; default 4.",
    }),
  ),
  rateLimits: Type.Optional(
    Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 100_000 }), {
      description: "Calls of one user in a minute by tool name; 0 for any number.",
    }),
  ),
  policyLog: Type.Optional(policyLogSchema),
  fs: Type.Optional(
    Type.Object(
      { roots: Type.Optional(names) },
      {
        additionalProperties: false,
        description: "Folders that file tools may reach beside the workspace.",
      },
    ),
  ),
  exec: Type.Optional(
    Type.Object(
      {
        sandbox: Type.Optional(
          Type.Enum(["auto", "required", "off"], {
            description:
              "auto (default): commands that are only known to read run in a read-only sandbox where one works. required: every command runs in the system's sandbox or is denied. off: no sandbox.",
          }),
        ),
      },
      { additionalProperties: false, description: "How shell commands run." },
    ),
  ),
  http: Type.Optional(
    Type.Object(
      { allowHosts: Type.Optional(names) },
      {
        additionalProperties: false,
        description: "host:port pairs exempt from the ban on plain http and private addresses.",
      },
    ),
  ),
};

/** How tools run: the part of the `tools` section that the agent owns. */
export type ToolExecutionConfiguration = Static<
  ReturnType<typeof Type.Object<typeof toolExecutionSchemas>>
>;
