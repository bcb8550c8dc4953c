import type { ModelSettings, ResolvedModel } from "@openclaw/models";
import type { PromptParts } from "@openclaw/plugin-sdk/hooks";
import type { RunningTurn } from "../context/turn.js";
import { type ContextWindowDependencies, contextWindowOf } from "../conversation/context-window.js";

/** Name of the heartbeat of the host, for the hook. */
const NAME = "heartbeat";
const TEMPERATURE = 0.3;
const LEAST_TOKENS = 4096;

/** Returns what plugins add to the prompt of a heartbeat; nothing for every other turn (TURN-020). */
export async function heartbeatParts(
  turn: RunningTurn<ContextWindowDependencies>,
): Promise<PromptParts> {
  const { request, pin, state } = turn;
  const { trigger, sessionKey, agentId, text: prompt, signal } = request;
  if (trigger !== "heartbeat") return {};
  const parts = await pin.hooks.rewrite(
    "heartbeat_prompt_contribution",
    { sessionKey, agentId, heartbeatName: NAME, prompt },
    { ...state.hookContext, heartbeatName: NAME },
    { signal },
  );
  return parts ?? {};
}

/** Returns the settings of the model calls of a heartbeat; nothing for every other turn (JOB-037). */
export function heartbeatModelSettings(
  { request: { trigger, agentId }, dependencies }: RunningTurn<ContextWindowDependencies>,
  model: ResolvedModel,
): ModelSettings {
  if (trigger !== "heartbeat") return {};
  const { contextTokenBudget } = contextWindowOf(model, agentId, dependencies);
  const half = Math.floor(contextTokenBudget / 2);
  return { temperature: TEMPERATURE, maxOutputTokens: Math.max(LEAST_TOKENS, half) };
}
