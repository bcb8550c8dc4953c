import type { Origin } from "../message/attachment.js";
import type { AgentContext } from "./context.js";

interface SubagentContext extends AgentContext {
  readonly childSessionKey?: string;
  readonly requesterSessionKey?: string;
}

interface Spawn {
  childSessionKey: string;
  agentId: string;
  label?: string;
  mode: "run" | "session";
  requester?: Origin;
  threadRequested: boolean;
}

/** Hooks for subagents. */
export interface SubagentHooks {
  /** Fires before the session of the subagent is created; `status: "error"` rejects it. */
  subagent_spawning: {
    kind: "decide";
    event: Spawn;
    context: SubagentContext;
    result: {
      status: "ok" | "error";
      error?: string;
      threadBindingReady?: boolean;
      deliveryOrigin?: Origin;
    };
  };
  /** Fires after the run of the subagent is queued. */
  subagent_spawned: {
    kind: "observe";
    event: Spawn & { runId: string; resolvedModel?: string };
    context: SubagentContext;
    result: undefined;
  };
  /** Chooses the conversation that receives the subagent's result; default is the requester's. */
  subagent_delivery_target: {
    kind: "rewrite";
    event: {
      childSessionKey: string;
      requesterSessionKey: string;
      requesterOrigin?: Origin;
      childRunId?: string;
      spawnMode?: "run" | "session";
      expectsCompletionMessage: boolean;
    };
    context: SubagentContext;
    result: { origin?: Origin };
  };
  /** Fires exactly once per spawned subagent. */
  subagent_ended: {
    kind: "observe";
    event: {
      targetSessionKey: string;
      targetKind: "subagent" | "acp";
      reason: string;
      outcome?: "ok" | "error" | "timeout" | "killed" | "reset" | "deleted";
      error?: string;
      accountId?: string;
      runId?: string;
      endedAt?: number;
      sendFarewell?: boolean;
    };
    context: SubagentContext;
    result: undefined;
  };
}
