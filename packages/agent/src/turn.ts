import { isMalformedToolCall, ModelRequestError } from "@openclaw/models";
import { isPluginHookExecutionError, OpenClawError } from "@openclaw/plugin-sdk/errors";
import {
  type AgentMessage,
  type AssistantMessage,
  messageText,
  type Usage,
} from "@openclaw/plugin-sdk/tools";
import { callModel, type ModelReply } from "./model-call.js";
import { unawaited } from "./observation.js";
import type { ToolCallScope } from "./tool-judgement.js";
import { type AnsweredCall, callTool } from "./tool-path.js";
import { writeMessage, writeToolResult } from "./transcript-writer.js";
import type { TurnError, TurnOutcome } from "./turn-event.js";
import { type PreparedTurn, prepareTurn } from "./turn-preparation.js";
import {
  openTurnScope,
  type PluginPin,
  type TurnRequest,
  type TurnScope,
  type TurnServices,
} from "./turn-scope.js";

const BLOCKED_TEXT = "This message was not processed.";
const PARALLEL_CALLS = 4;

/**
 * Runs one turn: from a stored message to the text of its reply. It never throws for what a model, a
 * tool or a plugin did; the outcome says how it ended, and the transcript holds what happened.
 * @param request - the turn
 * @param services - what the host lends
 * @param pin - the plugins it runs with, kept to its end
 */
export async function runTurn(
  request: TurnRequest,
  services: TurnServices,
  pin: PluginPin,
): Promise<TurnOutcome> {
  const turn = openTurnScope(request, services, pin);
  const startedAt = performance.now();
  const messages: AgentMessage[] = [];
  let outcome: TurnOutcome;
  try {
    outcome = await converse(turn, messages);
  } catch (error) {
    outcome = request.signal.aborted
      ? { status: "interrupted", text: "" }
      : { status: "failed", error: describeError(error), text: "" };
  }
  const durationMs = Math.round(performance.now() - startedAt);
  tellTheEnd(turn, messages, outcome, durationMs);
  request.onEvent({ type: "finished", outcome });
  return outcome;
}

/** The turn itself; throws where it cannot go on. */
async function converse(turn: TurnScope, messages: AgentMessage[]): Promise<TurnOutcome> {
  const { request, pin, context, services } = turn;
  const prepared = await prepareTurn(turn);
  request.onEvent({ type: "started", runId: request.runId, model: prepared.model.ref });

  const { result: gate, decidedBy } = await pin.hooks.detailed(
    "before_agent_run",
    {
      prompt: prepared.prompt.user,
      messages: [...prepared.history],
      systemPrompt: prepared.prompt.system,
    },
    context,
    { signal: request.signal },
  );
  if (gate?.outcome === "block") {
    const text = gate.message ?? BLOCKED_TEXT;
    await writeMessage(turn, assistantNote(turn, text));
    return { status: "blocked", text, blockedBy: decidedBy?.owner };
  }

  const now = services.now();
  const written = await writeMessage(turn, {
    role: "user",
    content: [{ type: "text", text: request.text }],
    timestamp: now,
  });
  if (written !== undefined) messages.push(written);

  const claim = await pin.hooks.claim(
    "before_agent_reply",
    { cleanedBody: request.text, trigger: request.trigger },
    context,
  );
  if (claim?.handled === true) {
    const text = claim.reply?.text ?? "";
    if (text !== "") {
      const spoken = await writeMessage(turn, assistantNote(turn, text));
      if (spoken !== undefined) messages.push(spoken);
    }
    return { status: "completed", text, stopReason: "answered-by-plugin", usage: {} };
  }
  const answer = await modelLoop(turn, prepared, messages);
  if (answer.status !== "completed") return answer;
  const transformed = await pin.hooks.rewrite(
    "transform_response",
    { content: answer.text, runId: request.runId, channel: request.origin.channel },
    context,
  );
  return { ...answer, text: transformed?.content ?? answer.text };
}

async function modelLoop(
  turn: TurnScope,
  prepared: PreparedTurn,
  messages: AgentMessage[],
): Promise<TurnOutcome> {
  const { request, services } = turn;
  const { model, prompt, history, tools, policyContext } = prepared;
  const scope: ToolCallScope = { turn, tools, policyContext, reconsidered: new Set() };
  const question: AgentMessage = {
    role: "user",
    content: [{ type: "text", text: prompt.user }],
    timestamp: services.now(),
  };
  const conversation: AgentMessage[] = [...history, question];
  const offered = [...tools.values()].map(({ name, tool, parameters }) => ({
    name,
    description: tool.description,
    parameters,
  }));
  const preview = !rewritesReplies(turn);
  const usage: Usage = {};

  for (let iteration = 1; iteration <= services.maxIterations; iteration++) {
    request.signal.throwIfAborted();
    const reply = await callModel(turn, {
      model,
      request: { system: prompt.system, messages: conversation, tools: offered },
      prompt: prompt.user,
      preview,
    });
    addUsage(usage, reply.message.usage);
    await keep(await writeMessage(turn, reply.message), reply.message);
    if (reply.calls.length === 0) {
      return {
        status: "completed",
        text: messageText(reply.message),
        stopReason: finalReason(reply.message),
        usage,
      };
    }
    const answers = await callTools(reply, scope);
    for (const { message, isSynthetic } of answers) {
      await keep(await writeToolResult(turn, message, isSynthetic), message);
    }
    if (answers.some(({ terminate }) => terminate)) {
      return {
        status: "completed",
        text: messageText(reply.message),
        stopReason: "tool-terminated",
        usage,
      };
    }
  }
  const notice = `I stopped after ${services.maxIterations} model calls in one turn. Ask me to go on, or raise agents.defaults.maxIterations.`;
  await keep(await writeMessage(turn, assistantNote(turn, notice)), undefined);
  return { status: "completed", text: notice, stopReason: "max_iterations", usage };

  /** The model goes on from what was really said, the transcript from what hooks let through. */
  async function keep(written: AgentMessage | undefined, said: AgentMessage | undefined) {
    if (written !== undefined) messages.push(written);
    if (said !== undefined) conversation.push(written ?? said);
  }
}

/** Runs a reply's calls in order; neighbouring calls of parallel-safe tools run together (TURN-040). */
async function callTools({ calls }: ModelReply, scope: ToolCallScope): Promise<AnsweredCall[]> {
  const answers: AnsweredCall[] = [];
  const parallelSafe = (index: number) => {
    const call = calls[index];
    return call !== undefined && scope.tools.get(call.toolName)?.tool.parallelSafe === true;
  };
  for (let start = 0; start < calls.length; ) {
    let end = start + 1;
    while (parallelSafe(start) && parallelSafe(end) && end - start < PARALLEL_CALLS) end++;
    const batch = calls
      .slice(start, end)
      .map((call) =>
        isMalformedToolCall(call) ? malformedAnswer(call, scope) : callTool(call, scope),
      );
    answers.push(...(await Promise.all(batch)));
    start = end;
  }
  return answers;
}

function malformedAnswer(
  { toolCallId, toolName, problem }: { toolCallId: string; toolName: string; problem: string },
  { turn }: ToolCallScope,
): AnsweredCall {
  const content = [{ type: "text" as const, text: problem }];
  const timestamp = turn.services.now();
  return {
    message: { role: "toolResult", toolCallId, toolName, isError: true, content, timestamp },
    isSynthetic: true,
    terminate: false,
  };
}

/** While a handler may still change the reply, its text is not shown early (HCR-013). */
function rewritesReplies({ pin, context }: TurnScope): boolean {
  return (
    pin.hooks.has("transform_response", context) ||
    pin.hooks.has("before_dispatch", context) ||
    pin.hooks.has("message_sending", context)
  );
}

function tellTheEnd(
  { request, pin, context, services }: TurnScope,
  messages: AgentMessage[],
  outcome: TurnOutcome,
  durationMs: number,
): void {
  const { runId } = request;
  if (outcome.status === "failed") {
    const { code, message, stage, retryable } = outcome.error;
    const event = { runId, error: { code, message, stage }, retryable, durationMs };
    unawaited(pin.hooks.observe("agent_error", event, context), services.logger);
  }
  const success = outcome.status === "completed";
  const error =
    outcome.status === "failed" ? outcome.error.message : success ? undefined : outcome.status;
  const ended = pin.hooks.observe(
    "agent_end",
    {
      runId,
      messages,
      success,
      aborted: outcome.status === "interrupted",
      durationMs,
      ...(error === undefined ? {} : { error }),
      ...(success ? { usage: outcome.usage } : {}),
    },
    context,
  );
  unawaited(ended, services.logger);
}

function describeError(error: unknown): TurnError {
  const message = error instanceof Error ? error.message : String(error);
  if (ModelRequestError.isInstance(error)) {
    return { code: error.code, message, stage: "model", retryable: error.retryable };
  }
  if (isPluginHookExecutionError(error)) {
    return { code: error.code, message, stage: "hook", retryable: false };
  }
  const code = OpenClawError.isInstance(error) ? error.code : "UNEXPECTED";
  return {
    code,
    message,
    stage: code.startsWith("MODEL_") ? "model" : "internal",
    retryable: false,
  };
}

function finalReason({ stopReason }: AssistantMessage) {
  switch (stopReason) {
    case "stop":
    case "length":
    case "content-filter":
      return stopReason;
    default:
      return "other";
  }
}

function assistantNote({ services }: TurnScope, text: string): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "openclaw",
    model: "host",
    stopReason: "stop",
    timestamp: services.now(),
  };
}

function addUsage(total: Usage, usage: Usage | undefined): void {
  for (const key of ["input", "output", "cacheRead", "cacheWrite", "total"] as const) {
    const tokens = usage?.[key];
    if (tokens !== undefined) total[key] = (total[key] ?? 0) + tokens;
  }
}
