import type {
  AttachmentMeta,
  HookMap,
  PromptParts,
  QueuedInjection,
  ReplyPayload,
} from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage, Usage } from "@openclaw/plugin-sdk/tools";
import { DECISION_DEADLINE_MS, type HookCatalogEntries, OBSERVATION_DEADLINE_MS } from "./entry.js";
import {
  copied,
  flag,
  frozen,
  frozenItems,
  number,
  object,
  oneOf,
  optional,
  record,
  text,
  texts,
} from "./field.js";
import { mergeAction, mergeReason, mergeRetry, narrowTools } from "./turn-merges.js";

const attachments = optional(copied(object<AttachmentMeta[]>("AttachmentMeta[]")));
const messages = frozenItems(object<AgentMessage[]>("AgentMessage[]"));
const usage = optional(frozen(object<Usage>("Usage")));
const runFails = "the run ends as failed";

const context = { prependContext: optional(text), appendContext: optional(text) };
const promptParts = {
  systemPrompt: optional(text),
  ...context,
  prependSystemContext: optional(text),
  appendSystemContext: optional(text),
  untrustedContext: optional(text),
};
const modelOverride = { providerOverride: optional(text), modelOverride: optional(text) };

const mergeContext = { prependContext: "concat", appendContext: "concat" } as const;
const mergePromptParts = {
  systemPrompt: "first",
  ...mergeContext,
  prependSystemContext: "concat",
  appendSystemContext: "concat",
  untrustedContext: "concat",
} as const satisfies Record<keyof PromptParts, string>;
const mergeModelOverride = { providerOverride: "first", modelOverride: "first" } as const;

/** Hooks of an agent's turn. */
export const turnCatalog: HookCatalogEntries<
  | "before_agent_reply"
  | "before_model_resolve"
  | "before_agent_start"
  | "agent_turn_prepare"
  | "heartbeat_prompt_contribution"
  | "before_prompt_build"
  | "before_agent_run"
  | "before_agent_finalize"
  | "transform_response"
  | "agent_error"
  | "agent_end"
> = {
  before_agent_reply: {
    kind: "claim",
    summary:
      "After the gate and before any model call; a handler that claims the turn replies in the model's place, or is silent.",
    step: "T10",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: runFails,
    event: { cleanedBody: text, trigger: text, attachments },
    contextGroup: "agent",
    context: {},
    result: {
      handled: flag,
      reply: optional(object<ReplyPayload>("ReplyPayload")),
      reason: optional(text),
    },
  },
  before_model_resolve: {
    kind: "rewrite",
    summary: "Before the session's messages are loaded; may ask for another provider or model.",
    step: "T1",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: runFails,
    event: { prompt: text, attachments },
    contextGroup: "agent",
    context: {},
    result: modelOverride,
    merge: mergeModelOverride,
  },
  before_agent_start: {
    kind: "rewrite",
    summary:
      "Compatibility with older plugins, and live: combines `before_model_resolve` and `before_prompt_build`, which new plugins use instead.",
    step: "T3",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: runFails,
    event: { prompt: text, messages: optional(messages), runId: optional(text) },
    contextGroup: "agent",
    context: {},
    result: { ...promptParts, ...modelOverride },
    merge: { ...mergePromptParts, ...mergeModelOverride },
  },
  agent_turn_prepare: {
    kind: "rewrite",
    summary: "With the injections that waited for this turn; adds context around the user's text.",
    step: "T5",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: runFails,
    event: {
      prompt: text,
      messages,
      queuedInjections: copied(object<QueuedInjection[]>("QueuedInjection[]")),
    },
    contextGroup: "agent",
    context: {},
    result: context,
    merge: mergeContext,
  },
  heartbeat_prompt_contribution: {
    kind: "rewrite",
    summary: "Heartbeat turns only; adds context around the heartbeat's text.",
    step: "T8",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: runFails,
    event: {
      sessionKey: optional(text),
      agentId: optional(text),
      heartbeatName: optional(text),
      prompt: text,
    },
    contextGroup: "agent",
    context: { heartbeatName: optional(text) },
    result: context,
    merge: mergeContext,
  },
  before_prompt_build: {
    kind: "rewrite",
    summary:
      "Every turn; adds to the prompt or replaces the system prompt, and may narrow the tool set.",
    step: "T7",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: runFails,
    event: {
      prompt: text,
      messages,
      currentUserMessage: optional(text),
      currentUserMessageId: optional(text),
    },
    contextGroup: "agent",
    context: {},
    result: { ...promptParts, toolsAllow: optional({ ...texts, accepts: () => true }) },
    merge: { ...mergePromptParts, toolsAllow: narrowTools },
  },
  before_agent_run: {
    kind: "decide",
    summary:
      "The gate: the final prompt, before anything reaches a model; any answer but `pass` or none blocks the run.",
    step: "T9",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "closed",
    closedFailure: "the run is blocked with a neutral sentence",
    event: {
      prompt: text,
      messages,
      systemPrompt: optional(text),
      images: attachments,
    },
    contextGroup: "agent",
    context: {},
    result: {
      outcome: oneOf("pass", "block"),
      reason: optional(text),
      message: optional(text),
      category: optional(text),
      metadata: optional(record),
    },
    merge: {
      outcome: "last",
      reason: "last",
      message: "last",
      category: "last",
      metadata: "assign",
    },
    terminal: [{ field: "outcome", value: "block" }],
    emptyResultFails: true,
    deny: (reason) => ({ outcome: "block", reason }),
  },
  before_agent_finalize: {
    kind: "decide",
    summary:
      "A natural final answer is about to be accepted; `revise` asks for one more model pass, at most three per run.",
    step: "T12",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: runFails,
    event: {
      sessionId: text,
      runId: optional(text),
      sessionKey: optional(text),
      turnId: optional(text),
      provider: optional(text),
      model: optional(text),
      cwd: optional(text),
      transcriptPath: optional(text),
      stopHookActive: flag,
      attempt: number,
      lastAssistantMessage: optional(text),
      messages: optional(messages),
    },
    contextGroup: "agent",
    context: {},
    result: {
      action: optional(oneOf("continue", "revise", "finalize")),
      reason: optional(text),
      retry: optional(
        object<NonNullable<HookMap["before_agent_finalize"]["result"]["retry"]>>(
          "{ instruction, idempotencyKey?, maxAttempts? }",
          isRetry,
        ),
      ),
    },
    merge: { action: mergeAction, reason: mergeReason, retry: mergeRetry },
    terminal: [{ field: "action", value: "finalize" }],
  },
  transform_response: {
    kind: "rewrite",
    summary:
      "The final text, before it is stored and delivered; may rewrite it, an empty string included, but not block it.",
    step: "T13",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "the reply is replaced by a neutral sentence",
    event: {
      content: text,
      runId: text,
      messages: optional(messages),
      channel: optional(text),
      attachments,
    },
    contextGroup: "agent",
    context: {},
    result: { content: optional(text) },
    merge: { content: "last" },
  },
  agent_error: {
    kind: "observe",
    summary: "Once per failed run, before `agent_end`; not when the user aborted it.",
    step: "T16",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      runId: optional(text),
      error: copied(object<HookMap["agent_error"]["event"]["error"]>("{ code, message, stage }")),
      retryable: flag,
      durationMs: optional(number),
    },
    contextGroup: "agent",
    context: {},
  },
  agent_end: {
    kind: "observe",
    summary: "Once per run, whatever its outcome; delivery does not wait for it.",
    step: "T17",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      runId: optional(text),
      messages,
      success: flag,
      aborted: optional(flag),
      error: optional(text),
      durationMs: optional(number),
      usage,
    },
    contextGroup: "agent",
    context: {},
  },
};

function isRetry(value: unknown): boolean {
  if (!record.accepts(value) || typeof value !== "object" || value === null) return false;
  if (!("instruction" in value) || typeof value.instruction !== "string") return false;
  if ("idempotencyKey" in value && value.idempotencyKey !== undefined) {
    if (typeof value.idempotencyKey !== "string") return false;
  }
  if ("maxAttempts" in value && value.maxAttempts !== undefined) {
    return Number.isInteger(value.maxAttempts) && Number(value.maxAttempts) >= 0;
  }
  return true;
}
