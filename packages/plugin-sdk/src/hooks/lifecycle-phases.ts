import type { HookName } from "./map.js";

/** The lifecycle phases, and the hook each one stands for (LIFE-001 to LIFE-019). */
export const LIFECYCLE_PHASES = Object.freeze({
  "boot.pre": "gateway_pre_start",
  "boot.post": "gateway_start",
  "shutdown.pre": "gateway_pre_stop",
  "shutdown.post": "gateway_stop",
  "agent.pre": "before_agent_start",
  "agent.post": "agent_end",
  "request.pre": "message_received",
  "request.post": "request_post",
  "recall.pre": "before_recall",
  "recall.post": "after_recall",
  "message.pre": "message_sending",
  "message.post": "message_sent",
  "tool.pre": "before_tool_call",
  "tool.post": "after_tool_call",
  "tool.error": "tool_error",
  "response.error": "response_error",
  error: "agent_error",
  "memory.compaction.pre": "before_compaction",
  "memory.compaction.post": "after_compaction",
} as const satisfies Record<string, HookName>);

/**
 * The phases' other names. `postRequest` is the end of an agent's run (`agent_end`);
 * `postRequestIngress` is the outcome of an inbound message (`request_post`) (LIFE-033).
 */
export const LIFECYCLE_ALIASES = Object.freeze({
  preBoot: "boot.pre",
  postBoot: "boot.post",
  preShutdown: "shutdown.pre",
  postShutdown: "shutdown.post",
  preAgent: "agent.pre",
  postRequest: "agent.post",
  preRequest: "request.pre",
  postRequestIngress: "request.post",
  preRecall: "recall.pre",
  postRecall: "recall.post",
  preResponse: "message.pre",
  postResponse: "message.post",
  preToolExecution: "tool.pre",
  postToolExecution: "tool.post",
  onToolError: "tool.error",
  onResponseError: "response.error",
  onError: "error",
  preCompaction: "memory.compaction.pre",
  postCompaction: "memory.compaction.post",
} as const satisfies Record<string, LifecyclePhase>);

/** Name of a lifecycle phase. */
export type LifecyclePhase = keyof typeof LIFECYCLE_PHASES;

/** Another name of a lifecycle phase. */
export type LifecycleAlias = keyof typeof LIFECYCLE_ALIASES;

/** The hook that a phase or alias stands for. */
export type PhaseHook<Phase extends LifecyclePhase | LifecycleAlias> = Phase extends LifecyclePhase
  ? (typeof LIFECYCLE_PHASES)[Phase]
  : Phase extends LifecycleAlias
    ? (typeof LIFECYCLE_PHASES)[(typeof LIFECYCLE_ALIASES)[Phase]]
    : never;
