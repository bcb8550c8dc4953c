import { errorMessage } from "@openclaw/foundation";
import { ModelRequestError } from "@openclaw/models";
import { isPluginHookExecutionError, OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { FinalOutcome, TurnError } from "../context/event.js";
import type { TurnScope } from "../context/scope.js";
import { unawaited } from "../observation.js";

/**
 * Tells the observers how a turn ended: `agent_error` first when it failed, then `agent_end` in every
 * case. Nobody waits for them (TURN-046).
 * @param turn - the turn
 * @param messages - what it wrote
 * @param outcome - how it ended
 * @param durationMs - how long it took
 */
export function tellTheEnd(
  { request, pin, context, services }: TurnScope,
  messages: AgentMessage[],
  outcome: FinalOutcome,
  durationMs: number,
): void {
  const { runId } = request;
  if (outcome.status === "failed") {
    const { code, message, stage, retryable } = outcome.error;
    const event = { runId, error: { code, message, stage }, retryable, durationMs };
    unawaited(pin.hooks.observe("agent_error", event, context), services.logger);
  }
  const ended = pin.hooks.observe(
    "agent_end",
    {
      runId,
      messages,
      success: outcome.status === "completed",
      aborted: outcome.status === "interrupted",
      durationMs,
      ...endFields(outcome),
    },
    context,
  );
  unawaited(ended, services.logger);
}

/**
 * What made a turn fail, as its outcome tells it.
 * @param error - what was thrown
 */
export function describeError(error: unknown): TurnError {
  const message = errorMessage(error);
  if (ModelRequestError.isInstance(error)) {
    return { code: error.code, message, stage: "model", retryable: error.retryable };
  }
  if (isPluginHookExecutionError(error)) {
    return { code: error.code, message, stage: "hook", retryable: false };
  }
  const code = OpenClawError.isInstance(error) ? error.code : "UNEXPECTED";
  const stage = code.startsWith("MODEL_") ? "model" : "internal";
  return { code, message, stage, retryable: false };
}

function endFields(outcome: FinalOutcome) {
  switch (outcome.status) {
    case "completed":
      return { usage: outcome.usage };
    case "failed":
      return { error: outcome.error.message };
    case "blocked":
    case "interrupted":
      return { error: outcome.status };
  }
}
