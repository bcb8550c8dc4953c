import type { ResolvedModel } from "@openclaw/models";
import type { AgentContext, SessionContext, ToolHookContext } from "@openclaw/plugin-sdk/hooks";
import { newTrace, stepTrace, traceFields } from "../trace.js";
import type { RunningTurn, TurnState } from "./turn.js";

/** Option of observing hooks: awaits only the handlers whose failure counts (LIFE-037, LIFE-038). */
export const AWAIT_FAIL_CLOSED = { wait: "fail-closed" } as const;

/**
 * Adds the model to the context of the hooks that fire from now on.
 * @param state - state of the running turn
 * @param model - the resolved model
 */
export function addModel(state: Pick<TurnState, "hookContext">, model: ResolvedModel): void {
  state.hookContext = modelContext(state.hookContext, model);
}

/**
 * Returns the context of the hooks around one model request.
 * @param context - context of the turn
 * @param model - model of the request, which may be a fallback
 */
export function modelContext<Context extends AgentContext>(
  context: Context,
  { provider, modelId }: ResolvedModel,
): Context {
  return { ...context, modelProviderId: provider, modelId };
}

/**
 * Returns the context of the hooks around one tool call.
 * @param turn - the running turn
 * @param toolName - name of the called tool
 * @param toolCallId - ID of the call
 */
export function toolContext(
  { state: { hookContext }, request }: RunningTurn,
  toolName: string,
  toolCallId: string,
): ToolHookContext {
  const { trace = newTrace() } = hookContext;
  return {
    ...hookContext,
    ...traceFields(stepTrace(trace, toolCallId)),
    channel: request.origin.channel,
    toolName,
    toolCallId,
  };
}

/**
 * Returns the context of the hooks about a turn's session: what every writer to that session knows.
 * @param turn - the running turn
 */
export function sessionContext({ state, request }: RunningTurn): SessionContext {
  const { callDepth, trace = newTrace() } = state.hookContext;
  const { agentId, sessionKey, sessionId } = request;
  return { callDepth, ...traceFields(trace), agentId, sessionKey, sessionId };
}
