import { isPluginHookExecutionError } from "@openclaw/plugin-sdk/errors";
import {
  type AgentMessage,
  type AssistantMessage,
  messageText,
  type Usage,
} from "@openclaw/plugin-sdk/tools";
import { callModel } from "./model-call.js";
import { callTools } from "./tool-batch.js";
import type { ToolCallScope } from "./tool-judgement.js";
import { writeMessage, writeToolResult } from "./transcript-writer.js";
import { describeError, tellTheEnd } from "./turn-end.js";
import type { TurnOutcome } from "./turn-event.js";
import { type PreparedTurn, prepareTurn } from "./turn-preparation.js";
import {
  openTurnScope,
  type PluginPin,
  type TurnRequest,
  type TurnScope,
  type TurnServices,
} from "./turn-scope.js";

const BLOCKED_TEXT = "This message was not processed.";
const WITHHELD_TEXT = "The reply to this message was withheld.";

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
  const { request, pin, services } = turn;
  const { signal } = request;
  const prepared = await prepareTurn(turn);
  request.onEvent({ type: "started", runId: request.runId, model: prepared.model.ref });

  const { result: gate, decidedBy } = await pin.hooks.detailed(
    "before_agent_run",
    {
      prompt: prepared.prompt.user,
      messages: [...prepared.history],
      systemPrompt: prepared.prompt.system,
    },
    turn.context,
    { signal },
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
    turn.context,
    { signal },
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
  return { ...answer, text: await transformReply(turn, answer.text) };
}

/** The text to deliver; the transcript keeps the model's. */
async function transformReply({ request, pin, context }: TurnScope, text: string): Promise<string> {
  const { runId, origin, signal } = request;
  const event = { content: text, runId, channel: origin.channel };
  try {
    const transformed = await pin.hooks.rewrite("transform_response", event, context, { signal });
    return transformed?.content ?? text;
  } catch (error) {
    // Of a handler that was to count: without it the text must not go out (HCR-004).
    if (isPluginHookExecutionError(error) && !signal.aborted) return WITHHELD_TEXT;
    throw error;
  }
}

async function modelLoop(
  turn: TurnScope,
  prepared: PreparedTurn,
  messages: AgentMessage[],
): Promise<Extract<TurnOutcome, { status: "completed" }>> {
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
  let lastText = "";

  for (let iteration = 1; iteration <= services.maxIterations; iteration++) {
    request.signal.throwIfAborted();
    const reply = await callModel(turn, {
      model,
      request: { system: prompt.system, messages: conversation, tools: offered },
      prompt: prompt.user,
      preview,
    });
    addUsage(usage, reply.usage);
    keep(await writeMessage(turn, reply.message), reply.message);
    const text = messageText(reply.message);
    if (reply.calls.length === 0) {
      return { status: "completed", text, stopReason: finalReason(reply.message), usage };
    }
    lastText = text || lastText;
    const answers = await callTools(reply, scope);
    for (const { message, isSynthetic } of answers) {
      keep(await writeToolResult(turn, message, isSynthetic), message);
    }
    request.signal.throwIfAborted();
    if (answers.some(({ terminate }) => terminate)) {
      return { status: "completed", text, stopReason: "tool-terminated", usage };
    }
  }
  const notice = `I stopped after ${services.maxIterations} model calls in one turn. Ask me to go on, or raise agents.defaults.maxIterations.`;
  if (preview) request.onEvent({ type: "text", delta: notice });
  const note = assistantNote(turn, notice);
  keep(await writeMessage(turn, note), note);
  const text = lastText === "" ? notice : `${lastText}\n\n${notice}`;
  return { status: "completed", text, stopReason: "max_iterations", usage };

  /** The model goes on from what was written; a message that a hook dropped it still needs. */
  function keep(written: AgentMessage | undefined, said: AgentMessage) {
    if (written !== undefined) messages.push(written);
    conversation.push(written ?? said);
  }
}

/** While a handler may still change the reply, its text is not shown early (HCR-013). */
function rewritesReplies({ pin, context }: TurnScope): boolean {
  return (
    pin.hooks.has("transform_response", context) ||
    pin.hooks.has("before_dispatch", context) ||
    pin.hooks.has("message_sending", context)
  );
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

function addUsage(total: Usage, usage: Usage): void {
  for (const key of ["input", "output", "cacheRead", "cacheWrite", "total"] as const) {
    const tokens = usage[key];
    if (tokens !== undefined) total[key] = (total[key] ?? 0) + tokens;
  }
}
