import type { CataloguedHookName, HookMap } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage, AssistantMessage } from "@openclaw/plugin-sdk/tools";
import { SAMPLE } from "./context.js";

type Samples = { readonly [Name in CataloguedHookName]: () => HookMap[Name]["event"] };

const { agentId, sessionKey, sessionId, runId, messageId, senderId, channel } = SAMPLE;
const { conversationId: to, provider, model, toolName, toolCallId } = SAMPLE;
const timestamp = Date.UTC(2026, 0, 1, 12);
const question = "what does a.txt say?";
const answer = "It says hello.";
const childSessionKey = `${sessionKey}:subagent:1`;

const asked = (): AgentMessage => ({
  role: "user",
  content: [{ type: "text", text: question }],
  timestamp,
});
const answered = (): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text: answer }],
  provider,
  model,
  stopReason: "stop",
  timestamp,
});
const toolAnswered = (): AgentMessage => ({
  role: "toolResult",
  toolName,
  toolCallId,
  content: [{ type: "text", text: "hello" }],
  isError: false,
  timestamp,
});
const call = () => ({ toolName, params: { path: "a.txt" }, runId, toolCallId });
const modelCall = () => ({ runId, callId: "model-call-1", provider, model });
const spawn = () => ({ childSessionKey, agentId, mode: "run" as const, threadRequested: false });

/** One event of every hook, all from one small conversation. */
const SAMPLES: Samples = {
  gateway_pre_start: () => ({ port: 18_789, host: "127.0.0.1", reason: "boot" }),
  gateway_start: () => ({ port: 18_789, host: "127.0.0.1", generation: 1 }),
  gateway_pre_stop: () => ({ reason: "command", deadlineMs: 5000 }),
  gateway_stop: () => ({ reason: "command" }),
  cron_changed: () => ({ action: "added", jobId: "job-1" }),
  before_install: () => ({
    targetType: "plugin",
    targetName: "sample",
    sourcePath: "/plugins/sample",
    sourcePathKind: "directory",
    request: { kind: "plugin-dir", mode: "install" },
    builtinScan: { status: "ok", scannedFiles: 2, critical: 0, warn: 0, info: 0, findings: [] },
  }),

  session_start: () => ({ sessionId, sessionKey, reason: "new" }),
  session_end: () => ({ sessionId, sessionKey, messageCount: 2, reason: "reset" }),
  before_reset: () => ({ reason: "command", messages: [asked(), answered()] }),
  before_compaction: () => ({ messageCount: 2, messages: [asked(), answered()] }),
  after_compaction: () => ({ messageCount: 1, compactedCount: 1, summary: "They read a file." }),

  transcribe_audio: () => ({
    audio: { mimeType: "audio/ogg", bytes: 3, read: async () => new Uint8Array([1, 2, 3]) },
    channel,
    attachmentIndex: 0,
  }),
  message_receiving: () => ({
    content: question,
    from: senderId,
    channel,
    senderId,
    messageId,
    timestamp,
    isGroup: false,
  }),
  message_received: () => ({ from: senderId, content: question, messageId, senderId, timestamp }),
  inbound_claim: () => ({
    content: question,
    channel,
    senderId,
    messageId,
    timestamp,
    isGroup: false,
  }),
  request_post: () => ({
    outcome: "queued",
    messageId,
    sessionKey,
    sessionId,
    runId,
    durationMs: 1,
  }),
  before_dispatch: () => ({
    content: answer,
    kind: "final",
    channel,
    to,
    payload: { text: answer },
    timestamp,
  }),
  reply_dispatch: () => ({
    ctx: { channel, from: senderId, body: question, messageId },
    payloads: [{ text: answer }],
    sendPolicy: "allow",
    shouldRouteToOriginating: true,
    inboundAudio: false,
  }),
  message_sending: () => ({ to, content: answer, channel }),
  message_sent: () => ({ to, content: answer, channel, success: true, attempts: 1 }),
  response_error: () => ({
    to,
    channel,
    content: answer,
    error: { code: "SEND_FAILED", message: "the channel is closed" },
    attempts: 3,
  }),

  before_model_resolve: () => ({ prompt: question }),
  before_agent_start: () => ({ prompt: question, messages: [], runId }),
  agent_turn_prepare: () => ({ prompt: question, messages: [], queuedInjections: [] }),
  before_prompt_build: () => ({ prompt: question, messages: [], currentUserMessage: question }),
  heartbeat_prompt_contribution: () => ({ sessionKey, agentId, prompt: "heartbeat" }),
  before_agent_run: () => ({ prompt: question, messages: [], systemPrompt: "You are an agent." }),
  before_agent_reply: () => ({ cleanedBody: question, trigger: "user" }),
  llm_input: () => ({
    runId,
    sessionId,
    provider,
    model,
    prompt: question,
    historyMessages: [],
    imagesCount: 0,
  }),
  model_call_started: modelCall,
  model_call_ended: () => ({ ...modelCall(), durationMs: 120, outcome: "completed" }),
  llm_output: () => ({
    runId,
    sessionId,
    provider,
    model,
    assistantTexts: [answer],
    lastAssistant: answered(),
  }),
  before_agent_finalize: () => ({
    sessionId,
    runId,
    sessionKey,
    stopHookActive: false,
    attempt: 1,
    lastAssistantMessage: answer,
  }),
  transform_response: () => ({ content: answer, runId, channel }),
  agent_error: () => ({
    runId,
    error: { code: "MODEL_CONNECTION", message: "the model does not answer", stage: "model" },
    retryable: true,
  }),
  agent_end: () => ({ runId, messages: [asked(), answered()], success: true, durationMs: 250 }),

  before_recall: () => ({ query: question, limit: 5, source: "auto" }),
  after_recall: () => ({
    query: question,
    results: [{ id: "memory-1", text: "a.txt greets", score: 0.9 }],
    source: "auto",
    durationMs: 3,
  }),

  before_tool_call: () => ({ ...call(), toolKind: "builtin" }),
  after_tool_call: () => ({
    ...call(),
    result: { content: [{ type: "text", text: "hello" }] },
    outcome: "ok",
    durationMs: 2,
  }),
  tool_error: () => ({
    ...call(),
    error: { code: "TOOL_THREW", message: "a.txt does not exist", kind: "threw" },
    durationMs: 2,
  }),
  tool_result_persist: () => ({ toolName, toolCallId, message: toolAnswered() }),
  before_message_write: () => ({ message: answered(), sessionKey, agentId }),

  subagent_spawning: spawn,
  subagent_spawned: () => ({ ...spawn(), runId: "run-2" }),
  subagent_delivery_target: () => ({
    childSessionKey,
    requesterSessionKey: sessionKey,
    expectsCompletionMessage: true,
  }),
  subagent_ended: () => ({
    targetSessionKey: childSessionKey,
    targetKind: "subagent",
    reason: "completed",
    outcome: "ok",
  }),
};

/**
 * Returns an event of a hook as the host would pass it; all samples are from one small
 * conversation, in which the operator asks about the content of a file.
 * @param hook - a catalogued hook
 * @param overrides - fields that differ from the sample
 * @example
 * ```ts
 * const verdict = await host.fire("before_tool_call", sampleEvent("before_tool_call", { toolName: "exec" }));
 * ```
 */
export function sampleEvent<Name extends CataloguedHookName>(
  hook: Name,
  overrides: Partial<HookMap[Name]["event"]> = {},
): HookMap[Name]["event"] {
  return { ...SAMPLES[hook](), ...overrides };
}
