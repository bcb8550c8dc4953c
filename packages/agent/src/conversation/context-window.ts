import { ModelTable, type ResolvedModel } from "@openclaw/models";
import { type ContextLimits, DEFAULT_CONTEXT_LIMITS } from "./compaction-plan.js";

/** Dependencies of {@link contextWindowOf}. */
export interface ContextWindowDependencies {
  /** Known models, with the sizes of their contexts; the committed table when absent. */
  readonly modelTable?: ModelTable | undefined;
  /** Size from which conversations are shortened; {@link DEFAULT_CONTEXT_LIMITS} when absent. */
  readonly contextLimits?: ContextLimits | undefined;
}

/** Number of tokens that a model may be sent, and the cap that lowered it, as hooks receive them. */
export interface ContextWindow {
  readonly contextTokenBudget: number;
  /** Cap that applied: `models.known`, or `contextTokens` of the agent; absent when none did. */
  readonly contextWindowSource?: "modelsConfig" | "agentContextTokens";
  /** Size before the cap; present with `contextWindowSource`. */
  readonly contextWindowReferenceTokens?: number;
}

const TABLE = new ModelTable();

/** Tokens of a conversation with a model whose window is not known (SUB-036). */
export const UNKNOWN_WINDOW = 100_000;

/**
 * Returns the context window of a model: the smallest of the known window, of the one that `models.known` sets, and of
 * the cap of the agent, else 100,000 tokens (SUB-036).
 * @param agentId - agent of the turn
 * @param dependencies - sizes of contexts
 */
export function contextWindowOf(
  { provider, modelId }: Pick<ResolvedModel, "provider" | "modelId">,
  agentId: string,
  { modelTable = TABLE, contextLimits = DEFAULT_CONTEXT_LIMITS }: ContextWindowDependencies,
): ContextWindow {
  const { published, configured } = modelTable.contextTokensOf(provider, modelId);
  const reference = published ?? configured;
  const ofModel = configured ?? published;
  const ofAgent = agentCap(agentId, contextLimits);
  if (ofAgent !== undefined && ofAgent < (ofModel ?? Number.POSITIVE_INFINITY)) {
    return capped(ofAgent, "agentContextTokens", larger(ofModel, reference));
  }
  if (ofModel === undefined || reference === undefined)
    return { contextTokenBudget: UNKNOWN_WINDOW };
  return ofModel < reference
    ? capped(ofModel, "modelsConfig", reference)
    : { contextTokenBudget: ofModel };
}

/**
 * Returns the number of tokens that a whole request to a model may have, with its system prompt and tools; undefined
 * when the window of the model is not known.
 * @param dependencies - sizes of contexts
 */
export function modelWindow(
  { provider, modelId }: Pick<ResolvedModel, "provider" | "modelId">,
  { modelTable = TABLE }: ContextWindowDependencies,
): number | undefined {
  const { published, configured } = modelTable.contextTokensOf(provider, modelId);
  return configured ?? published;
}

function larger(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

/** A cap of an unknown window has nothing to be compared with but the window that is assumed. */
function capped(
  tokens: number,
  contextWindowSource: NonNullable<ContextWindow["contextWindowSource"]>,
  reference: number | undefined,
): ContextWindow {
  const contextWindowReferenceTokens =
    reference ?? (tokens < UNKNOWN_WINDOW ? UNKNOWN_WINDOW : undefined);
  return contextWindowReferenceTokens === undefined
    ? { contextTokenBudget: tokens }
    : { contextTokenBudget: tokens, contextWindowSource, contextWindowReferenceTokens };
}

function agentCap(agentId: string, { tokens, ofAgents = {} }: ContextLimits): number | undefined {
  const own = Object.hasOwn(ofAgents, agentId) ? ofAgents[agentId] : undefined;
  return own ?? tokens;
}
