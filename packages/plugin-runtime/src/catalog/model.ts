import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage, AssistantMessage, Usage } from "@openclaw/plugin-sdk/tools";
import { type HookCatalogEntries, OBSERVATION_DEADLINE_MS } from "./entry.js";
import { frozen, frozenItems, number, object, oneOf, optional, text, texts } from "./field.js";

const messages = frozenItems(object<AgentMessage[]>("AgentMessage[]"));
const usage = optional(frozen(object<Usage>("Usage")));

const modelCall = {
  runId: text,
  callId: text,
  provider: text,
  model: text,
  api: optional(text),
  transport: optional(text),
  contextTokenBudget: optional(number),
  contextWindowSource: optional(text),
  contextWindowReferenceTokens: optional(number),
};

/** Hooks that observe the calls of a model. */
export const modelCatalog: HookCatalogEntries<
  "model_call_started" | "model_call_ended" | "llm_input" | "llm_output"
> = {
  model_call_started: {
    kind: "observe",
    summary: "Per provider call, failover and retries included; telemetry without content.",
    step: "T11",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: modelCall,
    contextGroup: "agent",
    context: {},
  },
  model_call_ended: {
    kind: "observe",
    summary: "Exactly one per `model_call_started`; telemetry without content.",
    step: "T11",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      ...modelCall,
      durationMs: number,
      outcome: oneOf("completed", "error"),
      errorCategory: optional(text),
      failureKind: optional(
        oneOf("aborted", "connection_closed", "connection_reset", "terminated", "timeout"),
      ),
      requestPayloadBytes: optional(number),
      responseStreamBytes: optional(number),
      timeToFirstByteMs: optional(number),
      upstreamRequestIdHash: optional(text),
    },
    contextGroup: "agent",
    context: {},
  },
  llm_input: {
    kind: "observe",
    summary: "Input of a model attempt, as it is sent.",
    step: "T11",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      runId: text,
      sessionId: text,
      provider: text,
      model: text,
      systemPrompt: optional(text),
      prompt: text,
      historyMessages: messages,
      imagesCount: number,
      tools: optional(
        frozen(
          object<NonNullable<HookMap["llm_input"]["event"]["tools"]>>("{ name, description }[]"),
        ),
      ),
    },
    contextGroup: "agent",
    context: {},
  },
  llm_output: {
    kind: "observe",
    summary: "After a model attempt that produced output.",
    step: "T11",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      runId: text,
      sessionId: text,
      provider: text,
      model: text,
      resolvedRef: optional(text),
      harnessId: optional(text),
      assistantTexts: frozen(texts),
      lastAssistant: optional(frozen(object<AssistantMessage>("AssistantMessage"))),
      usage,
      contextTokenBudget: optional(number),
    },
    contextGroup: "agent",
    context: {},
  },
};
