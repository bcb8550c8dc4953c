import type { AttachmentMeta, ReplyPayload } from "../message/attachment.js";
import type { AgentMessage, AssistantMessage, Usage } from "../message/message.js";
import type { AgentContext } from "./context.js";

/** Text that a hook adds to the prompt: context around the user's text, system context around the system prompt. */
export interface PromptParts {
  systemPrompt?: string;
  prependContext?: string;
  appendContext?: string;
  prependSystemContext?: string;
  appendSystemContext?: string;
  /**
   * Text without a guarantee of its origin, for example remembered notes, files or words of other people. The host marks it as
   * external content, escapes role markers in it, and puts it before the user's text; it is never part of the system
   * prompt.
   */
  untrustedContext?: string;
}

/** Override of the provider or model. */
export interface ModelOverride {
  providerOverride?: string;
  modelOverride?: string;
}

/** Text that is queued for the next turn of a session (TURN-049). */
export interface QueuedInjection {
  id: string;
  pluginId: string;
  text: string;
  placement: "prepend_context" | "append_context";
  idempotencyKey?: string;
  metadata?: Record<string, unknown>;
}

/** Instruction and limits of the additional model pass that `before_agent_finalize` requests. */
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

/** Hooks of a turn, in firing order. */
export interface TurnHooks {
  /** Fires before the session's messages are loaded. */
  before_model_resolve: {
    kind: "rewrite";
    event: { prompt: string; attachments?: AttachmentMeta[] };
    context: AgentContext;
    result: ModelOverride;
  };
  /** Legacy combination of `before_model_resolve` and `before_prompt_build`; use those in new plugins. */
  before_agent_start: {
    kind: "rewrite";
    event: { prompt: string; messages?: AgentMessage[]; runId?: string };
    context: AgentContext;
    result: PromptParts & ModelOverride;
  };
  /** Fires with the queued injections of this turn. */
  agent_turn_prepare: {
    kind: "rewrite";
    event: { prompt: string; messages: AgentMessage[]; queuedInjections: QueuedInjection[] };
    context: AgentContext;
    result: Pick<PromptParts, "prependContext" | "appendContext">;
  };
  /** Fires in every turn; `toolsAllow` can only narrow the tool set. */
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
  /** Fires only in heartbeat turns. */
  heartbeat_prompt_contribution: {
    kind: "rewrite";
    event: { sessionKey?: string; agentId?: string; heartbeatName?: string; prompt: string };
    context: AgentContext & { readonly heartbeatName?: string };
    result: Pick<PromptParts, "prependContext" | "appendContext">;
  };
  /** Gate: fires with the final prompt before it is sent to a model. Every outcome other than `pass` blocks. */
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
      /** Reason for the host only; it is neither stored nor shown. */
      reason?: string;
      /** Text shown to the user. */
      message?: string;
      category?: string;
      metadata?: Record<string, unknown>;
    };
  };
  /** The first handler that returns `handled: true` provides the reply without a model call. */
  before_agent_reply: {
    kind: "claim";
    event: { cleanedBody: string; trigger: string; attachments?: AttachmentMeta[] };
    context: AgentContext;
    result: { handled: boolean; reply?: ReplyPayload; reason?: string };
  };
  /** Fires with the input of a model attempt, as sent. */
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
  /** Fires at the start of a model call, without its content. */
  model_call_started: {
    kind: "observe";
    event: ModelCall;
    context: AgentContext;
    result: undefined;
  };
  /** Fires exactly once per `model_call_started`. */
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
  /** Fires after a model attempt that produced output. */
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
  /** Fires before a final answer is accepted; `revise` requests one more pass. */
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
  /** Fires with the final text, before it is stored and delivered. */
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
  /** Fires once per failed run, before `agent_end`. */
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
  /** Fires once per run with any outcome; delivery does not wait for it. */
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
