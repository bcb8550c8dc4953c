import type { HookTrace, Origin } from "@openclaw/plugin-sdk/hooks";
import type { SubagentBounds, TurnOrigin } from "../context/request.js";

/** Limits of subagents, `agents.defaults.subagents`. */
export interface SubagentLimits {
  /** Maximum nesting depth; 1 means that subagents cannot spawn subagents. */
  readonly maxDepth: number;
  /** Maximum number of running subagents of one session. */
  readonly maxChildren: number;
}

/** Default limits (TURN-052). */
export const DEFAULT_SUBAGENT_LIMITS: SubagentLimits = { maxDepth: 2, maxChildren: 8 };

/** A request of a turn to spawn a subagent, after the hooks. */
export interface SubagentSpawn extends SubagentBounds {
  /** The turn that requests the subagent. */
  readonly parent: { readonly runId: string; readonly sessionKey: string };
  /** The conversation of the request; the subagent acts for the same sender. */
  readonly origin: TurnOrigin;
  /** Key of the subagent's session; always the same for the same call of a turn. */
  readonly sessionKey: string;
  readonly agentId: string;
  readonly task: string;
  readonly label?: string | undefined;
  /** `provider/model` of the subagent's turn. */
  readonly model: string;
  /** Time limit in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Destination of the answer unless another hook overrides it. */
  readonly deliveryOrigin?: Origin | undefined;
  /** Trace of the call that requests the subagent. */
  readonly trace?: HookTrace | undefined;
}

/** Result of a spawn. */
export type SubagentSpawned =
  | { readonly status: "spawned"; readonly runId: string }
  /** The parent already has the maximum number of subagents. */
  | { readonly status: "full" };

/** The subagents of a host. */
export interface Subagents {
  readonly limits: SubagentLimits;
  /** IDs of the agents that a subagent can run as. */
  readonly agentIds: readonly string[];
  /**
   * Returns the model of an agent's turns, `provider/model`.
   * @param agentId - one of `agentIds`
   */
  modelOf(agentId: string): string;
  /** Opens a subagent's session and queues its turn, in one transaction. */
  spawn(spawn: SubagentSpawn): Promise<SubagentSpawned>;
  /**
   * Stops a subagent and its own subagents.
   * @param runId - turn of the subagent
   * @returns false when it has ended already
   */
  stop(runId: string): Promise<boolean>;
}
