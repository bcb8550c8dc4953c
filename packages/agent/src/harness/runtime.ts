import { type Static, Type } from "typebox";

/** Name of the runtime that lets the harnesses of plugins decide. */
export const AUTO_RUNTIME = "auto";

/** Names of the model loop of the host; `pi` is that of older configurations. */
const BUILT_IN: readonly string[] = ["openclaw", "pi"];

/** Schema of a setting that selects what runs the turns of agents. */
export const agentRuntimeSchema = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "ID of the agent harness of a plugin that runs turns, for example codex; openclaw for the model loop of the host, and auto for the first harness that supports the model. Without it a harness runs the models of its plugin only.",
      }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 1000,
        maximum: 86_400_000,
        default: 600_000,
        description: "Time in milliseconds without a sign of life after which a harness is ended.",
      }),
    ),
  },
  { additionalProperties: false, description: "What runs the turns of agents." },
);

/** Setting that selects what runs the turns of agents. */
export type AgentRuntimeSetting = Static<typeof agentRuntimeSchema>;

/** The setting in force, and its path. */
export interface AgentRuntimeChoice {
  readonly id: string | undefined;
  readonly timeoutMs: number | undefined;
  /** Path of the key that names the runtime, for messages. */
  readonly setting: string;
}

/**
 * Returns true for the model loop of the host.
 * @param id - name of a runtime
 */
export function isBuiltIn(id: string): boolean {
  return BUILT_IN.includes(id);
}

/**
 * Returns the harness that a setting names; undefined for the model loop of the host and for `auto`.
 * @param id - name of a runtime
 */
export function namedHarnessOf(id: string | undefined): string | undefined {
  return id === undefined || id === AUTO_RUNTIME || isBuiltIn(id) ? undefined : id;
}
