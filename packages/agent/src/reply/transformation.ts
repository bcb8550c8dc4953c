import { isPluginHookExecutionError } from "@openclaw/plugin-sdk/errors";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { OutputOptions } from "@openclaw/safety";
import type { RunningTurn } from "../context/turn.js";
import { guardText } from "../tool-call/result-safety.js";

const WITHHELD_TEXT = "The reply to this message was cancelled.";

/** Dependencies of {@link transformReply}. */
export interface TransformationDependencies {
  /** Rules and limits of the safety engine, `safety`. */
  readonly safety: OutputOptions;
}

/**
 * Returns the text to deliver: what `transform_response` makes of it, without secrets. Previews had
 * none either (TURN-028), so the final text repeats what was shown.
 * @param text - the whole reply
 * @param messages - messages that the turn wrote
 */
export async function transformReply(
  { request, pin, state, dependencies }: RunningTurn<TransformationDependencies>,
  text: string,
  messages: readonly AgentMessage[],
): Promise<string> {
  const { runId, origin, signal } = request;
  const event = { content: text, runId, channel: origin.channel, messages: [...messages] };
  try {
    const transformed = await pin.hooks.rewrite("transform_response", event, state.hookContext, {
      signal,
    });
    return guardText(transformed?.content ?? text, dependencies.safety);
  } catch (error) {
    // A `fail-closed` handler failed: the text must not be delivered (HCR-004).
    if (isPluginHookExecutionError(error) && !signal.aborted) return WITHHELD_TEXT;
    throw error;
  }
}
