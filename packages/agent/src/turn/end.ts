import { defined, errorMessage } from "@openclaw/foundation";
import { ModelRateLimitedError, ModelRequestError } from "@openclaw/models";
import type { Logger } from "@openclaw/plugin-sdk";
import { isPluginHookExecutionError, OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { FinalOutcome, TurnError } from "../context/event.js";
import type { RunningTurn } from "../context/turn.js";
import { EmptyReplyError } from "../errors.js";
import { logRejection } from "../observation.js";

/**
 * Notifies the observers of the end of a turn: `agent_error` first if it failed, then `agent_end` in every
 * case. They are not awaited (TURN-046).
 * @param messages - messages that it wrote
 * @param durationMs - its duration in milliseconds
 */
export function notifyTurnEnd(
  { request, pin, state, dependencies }: RunningTurn<{ readonly logger: Logger }>,
  messages: AgentMessage[],
  outcome: FinalOutcome,
  durationMs: number,
): void {
  const { runId } = request;
  const { hookContext } = state;
  const { logger } = dependencies;
  if (outcome.status === "failed") {
    const { code, message, stage, retryable } = outcome.error;
    const event = { runId, error: { code, message, stage }, retryable, durationMs };
    logRejection(pin.hooks.observe("agent_error", event, hookContext), logger);
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
    hookContext,
  );
  logRejection(ended, logger);
}

/** Returns the error of a failed turn for its outcome. */
export function describeError(error: unknown): TurnError {
  const message = errorMessage(error);
  if (ModelRequestError.isInstance(error)) {
    const { code, retryable, status: providerStatus } = error;
    const retryAfterMs = ModelRateLimitedError.isInstance(error) ? error.retryAfterMs : undefined;
    return {
      code,
      message,
      stage: "model",
      retryable,
      ...defined({ providerStatus, retryAfterMs }),
    };
  }
  if (isPluginHookExecutionError(error)) {
    return { code: error.code, message, stage: "hook", retryable: false };
  }
  if (EmptyReplyError.isInstance(error)) {
    return { code: error.code, message, stage: "model", retryable: true };
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
