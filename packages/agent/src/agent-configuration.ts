import { type Static, Type } from "typebox";

const milliseconds = Type.Integer({ minimum: 1, maximum: 600_000 });
const names = Type.Array(Type.String({ minLength: 1 }));

/** Schema of `agents.defaults`: how agents think. */
export const agentDefaultsSchema = Type.Object(
  {
    model: Type.Optional(
      Type.String({ minLength: 1, description: "provider/model of every turn." }),
    ),
    instructions: Type.Optional(
      Type.String({ description: "System prompt in place of the built-in one." }),
    ),
    maxIterations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: "Model calls in one turn; default 50.",
      }),
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
  fs: Type.Optional(
    Type.Object(
      { roots: Type.Optional(names) },
      {
        additionalProperties: false,
        description: "Folders that file tools may reach beside the workspace.",
      },
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
