import type { AttachmentMeta, ReplyPayload } from "../message/attachment.js";
import type { AgentMessage, AssistantMessage, Usage } from "../message/message.js";
import type { AgentContext } from "./context.js";

/** Text a hook adds to the prompt. Context stands around the user's text, system context around the system prompt. */
export interface PromptParts {
  systemPrompt?: string;
  prependContext?: string;
  appendContext?: string;
  prependSystemContext?: string;
  appendSystemContext?: string;
}

/** A wish for another provider or model. */
export interface ModelOverride {
  providerOverride?: string;
  modelOverride?: string;
}

/** A text that waits for the next turn of a session (TURN-049). */
export interface QueuedInjection {
  id: string;
  pluginId: string;
  text: string;
  placement: "prepend_context" | "append_context";
  idempotencyKey?: string;
  metadata?: Record<string, unknown>;
}

/** Bounds one extra model pass that `before_agent_finalize` asks for. */
export interface BeforeAgentFinalizeRetry {
  instruction: string;
  idempotencyKey?: string;
  maxAttempts?: number;
}

interface ModelCall {
  runId: string;
  callId: string;
  provider: string;
  model: string;
  api?: string;
  transport?: string;
  contextTokenBudget?: number;
  contextWindowSource?: string;
  contextWindowReferenceTokens?: number;
}

/** Hooks of an agent's turn, in the order in which they fire. */
export interface TurnHooks {
  /** Before the session's messages are loaded. */
  before_model_resolve: {
    kind: "rewrite";
    event: { prompt: string; attachments?: AttachmentMeta[] };
    context: AgentContext;
    result: ModelOverride;
  };
  /** Compatibility with older plugins, and live; prefer the two hooks it combines. */
  before_agent_start: {
    kind: "rewrite";
    event: { prompt: string; messages?: AgentMessage[]; runId?: string };
    context: AgentContext;
    result: PromptParts & ModelOverride;
  };
  /** With the injections drained for this turn. */
  agent_turn_prepare: {
    kind: "rewrite";
    event: { prompt: string; messages: AgentMessage[]; queuedInjections: QueuedInjection[] };
    context: AgentContext;
    result: Pick<PromptParts, "prependContext" | "appendContext">;
  };
  /** Every turn; `toolsAllow` can only narrow the tool set. */
  before_prompt_build: {
    kind: "rewrite";
    event: {
      prompt: string;
      messages: AgentMessage[];
      currentUserMessage?: string;
      currentUserMessageId?: string;
    };
    context: AgentContext;
    result: PromptParts & { toolsAllow?: string[] };
  };
  /** Heartbeat turns only. */
  heartbeat_prompt_contribution: {
    kind: "rewrite";
    event: { sessionKey?: string; agentId?: string; heartbeatName?: string; prompt: string };
    context: AgentContext & { readonly heartbeatName?: string };
    result: Pick<PromptParts, "prependContext" | "appendContext">;
  };
  /** The gate: the final prompt, before anything reaches a model. Anything but `pass` blocks. */
  before_agent_run: {
    kind: "decide";
    event: {
      prompt: string;
      messages: AgentMessage[];
      systemPrompt?: string;
      images?: AttachmentMeta[];
    };
    context: AgentContext;
    result: {
      outcome: "pass" | "block";
      /** For operators; stored and shown nowhere. */
      reason?: string;
      /** Shown to the user. */
      message?: string;
      category?: string;
      metadata?: Record<string, unknown>;
    };
  };
  /** The first handler that answers `handled: true` makes the reply without a model call. */
  before_agent_reply: {
    kind: "claim";
    event: { cleanedBody: string; trigger: string; attachments?: AttachmentMeta[] };
    context: AgentContext;
    result: { handled: boolean; reply?: ReplyPayload; reason?: string };
  };
  /** What a model attempt is given, as sent. */
  llm_input: {
    kind: "observe";
    event: {
      runId: string;
      sessionId: string;
      provider: string;
      model: string;
      systemPrompt?: string;
      prompt: string;
      historyMessages: AgentMessage[];
      imagesCount: number;
      tools?: { name: string; description: string }[];
    };
    context: AgentContext;
    result: undefined;
  };
  /** Telemetry without content. */
  model_call_started: {
    kind: "observe";
    event: ModelCall;
    context: AgentContext;
    result: undefined;
  };
  /** Exactly one per `model_call_started`. */
  model_call_ended: {
    kind: "observe";
    event: ModelCall & {
      durationMs: number;
      outcome: "completed" | "error";
      errorCategory?: string;
      failureKind?: "aborted" | "connection_closed" | "connection_reset" | "terminated" | "timeout";
      requestPayloadBytes?: number;
      responseStreamBytes?: number;
      timeToFirstByteMs?: number;
      upstreamRequestIdHash?: string;
    };
    context: AgentContext;
    result: undefined;
  };
  /** After an attempt that produced output. */
  llm_output: {
    kind: "observe";
    event: {
      runId: string;
      sessionId: string;
      provider: string;
      model: string;
      resolvedRef?: string;
      harnessId?: string;
      assistantTexts: string[];
      lastAssistant?: AssistantMessage;
      usage?: Usage;
      contextTokenBudget?: number;
    };
    context: AgentContext;
    result: undefined;
  };
  /** A natural final answer is about to be accepted; `revise` asks for one more pass. */
  before_agent_finalize: {
    kind: "decide";
    event: {
      sessionId: string;
      runId?: string;
      sessionKey?: string;
      turnId?: string;
      provider?: string;
      model?: string;
      cwd?: string;
      transcriptPath?: string;
      stopHookActive: boolean;
      attempt: number;
      lastAssistantMessage?: string;
      messages?: AgentMessage[];
    };
    context: AgentContext;
    result: {
      action?: "continue" | "revise" | "finalize";
      reason?: string;
      retry?: BeforeAgentFinalizeRetry;
    };
  };
  /** The final text, before it is stored and delivered. */
  transform_response: {
    kind: "rewrite";
    event: {
      content: string;
      runId: string;
      messages?: AgentMessage[];
      channel?: string;
      attachments?: AttachmentMeta[];
    };
    context: AgentContext;
    result: { content?: string };
  };
  /** Once per failed run, before `agent_end`. */
  agent_error: {
    kind: "observe";
    event: {
      runId?: string;
      error: {
        code: string;
        message: string;
        stage: "model" | "tool" | "gate" | "hook" | "timeout" | "internal";
      };
      retryable: boolean;
      durationMs?: number;
    };
    context: AgentContext;
    result: undefined;
  };
  /** Once per run, whatever became of it; delivery does not wait for it. */
  agent_end: {
    kind: "observe";
    event: {
      runId?: string;
      messages: AgentMessage[];
      success: boolean;
      aborted?: boolean;
      error?: string;
      durationMs?: number;
      usage?: Usage;
    };
    context: AgentContext;
    result: undefined;
  };
}
