import type { HookTrace, Origin } from "@openclaw/plugin-sdk/hooks";
import type { SubagentBounds, TurnOrigin } from "../context/request.js";

/** How far child sessions go, `agents.defaults.subagents`. */
export interface SubagentLimits {
  /** How deep they nest; 1 lets only agents themselves have children. */
  readonly maxDepth: number;
  /** Children that one session may have at once. */
  readonly maxChildren: number;
}

/** What holds where nothing is configured (TURN-052). */
export const DEFAULT_SUBAGENT_LIMITS: SubagentLimits = { maxDepth: 2, maxChildren: 8 };

/** A child that a turn asks for, as the hooks let it through. */
export interface SubagentSpawn extends SubagentBounds {
  /** The turn that asks. */
  readonly parent: { readonly runId: string; readonly sessionKey: string };
  /** The conversation in which it asks; the child acts for the same sender. */
  readonly origin: TurnOrigin;
  /** The child's session; the same call of a turn always names the same. */
  readonly sessionKey: string;
  readonly agentId: string;
  readonly task: string;
  readonly label?: string | undefined;
  /** `provider/model` of the child's turn. */
  readonly model: string;
  /** Time it has, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Where its answer goes unless another hook says otherwise. */
  readonly deliveryOrigin?: Origin | undefined;
  /** Of the call that asks. */
  readonly trace?: HookTrace | undefined;
}

/** What became of a spawn. */
export type SubagentSpawned =
  | { readonly status: "spawned"; readonly runId: string }
  /** The parent has as many children as it may. */
  | { readonly status: "full" };

/** The child sessions of a host. */
export interface Subagents {
  readonly limits: SubagentLimits;
  /** Agents that a child may be of. */
  readonly agentIds: readonly string[];
  /**
   * Model of an agent's turns, `provider/model`.
   * @param agentId - one of `agentIds`
   */
  modelOf(agentId: string): string;
  /**
   * Opens a child's session and queues its turn, in one step.
   * @param spawn - the child
   */
  spawn(spawn: SubagentSpawn): Promise<SubagentSpawned>;
  /**
   * Ends a child and its own children early.
   * @param runId - the child's turn
   * @returns false when it has ended already
   */
  stop(runId: string): Promise<boolean>;
}
