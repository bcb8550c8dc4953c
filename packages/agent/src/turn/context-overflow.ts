import {
  ModelContextLengthError,
  ModelRequestFailedError,
  type ResolvedModel,
} from "@openclaw/models";
import { callTokens, type SizedCall } from "../budget/call-size.js";
import {
  type ContextWindowDependencies,
  contextWindowOf,
  modelWindow,
} from "../conversation/context-window.js";

/** Statuses with which providers reject a request that is too long in unknown words. */
const REJECTIONS: ReadonlySet<number | undefined> = new Set([400, 422]);
/** Part of the context from which a rejection is taken for one of the length. */
const NEAR = 0.9;

/**
 * Returns true for a failure because the conversation is too long: the provider reports it, or it rejects a request that is
 * about as long as the context of the model (LLM-200).
 * @param model - model of the turn
 * @param call - the request that failed
 * @param agentId - agent of the turn
 * @param dependencies - sizes of contexts
 */
export function isOverflow(
  error: unknown,
  model: ResolvedModel,
  call: SizedCall,
  agentId: string,
  dependencies: ContextWindowDependencies,
): boolean {
  if (ModelContextLengthError.isInstance(error)) return true;
  if (!ModelRequestFailedError.isInstance(error) || !REJECTIONS.has(error.status)) return false;
  const room =
    modelWindow(model, dependencies) ??
    contextWindowOf(model, agentId, dependencies).contextTokenBudget;
  return callTokens(call) >= room * NEAR;
}
