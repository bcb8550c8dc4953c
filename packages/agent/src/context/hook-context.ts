import type { ResolvedModel } from "@openclaw/models";
import type { SessionContext, ToolHookContext } from "@openclaw/plugin-sdk/hooks";
import {
  type ContextWindow,
  type ContextWindowDependencies,
  contextWindowOf,
} from "../conversation/context-window.js";
import { newTrace, stepTrace, traceFields } from "../trace.js";
import type { RunningTurn, TurnState } from "./turn.js";

/** Option of observing hooks: awaits only the handlers whose failure counts (LIFE-037, LIFE-038). */
export const AWAIT_FAIL_CLOSED = { wait: "fail-closed" } as const;

/** Adds the model and its context window to the context of the hooks that fire from now on. */
export function addModel(
  { state, request, dependencies }: RunningTurn<ContextWindowDependencies>,
  model: ResolvedModel,
): void {
  const window = contextWindowOf(model, request.agentId, dependencies);
  state.hookContext = modelContext(state.hookContext, model, window);
}

/**
 * Returns the context of the hooks around one model request.
 * @param model - model of the request, which may be a fallback
 * @param window - context window of that model
 */
export function modelContext(
  context: TurnState["hookContext"],
  { provider, modelId }: ResolvedModel,
  window: ContextWindow,
): TurnState["hookContext"] {
  // A cap of the model before does not apply to this one.
  const { contextWindowSource, contextWindowReferenceTokens, ...others } = context;
  return { ...others, modelProviderId: provider, modelId, ...window };
}

/**
 * Returns the context of the hooks around one tool call.
 * @param toolName - name of the called tool
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

/** Returns the context of the hooks about a turn's session: what every writer to that session knows. */
export function sessionContext({ state, request }: RunningTurn): SessionContext {
  const { callDepth, trace = newTrace() } = state.hookContext;
  const { agentId, sessionKey, sessionId } = request;
  return { callDepth, ...traceFields(trace), agentId, sessionKey, sessionId };
}
