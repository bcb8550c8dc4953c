import {
  ModelContextLengthError,
  ModelRequestFailedError,
  ModelTable,
  type ResolvedModel,
} from "@openclaw/models";
import { requestSize, type SizedCall } from "../budget/call-size.js";
import { type ContextLimits, DEFAULT_CONTEXT_LIMITS } from "../conversation/compaction-plan.js";

/** Dependencies of {@link isOverflow}. */
export interface OverflowDependencies {
  /** Known models, with the sizes of their contexts. */
  readonly modelTable?: ModelTable | undefined;
  /** Size from which conversations are shortened; {@link DEFAULT_CONTEXT_LIMITS} when absent. */
  readonly contextLimits?: ContextLimits | undefined;
}

const TABLE = new ModelTable();
/** Statuses with which providers reject a request that is too long in unknown words. */
const REJECTIONS: ReadonlySet<number | undefined> = new Set([400, 422]);
/** Part of the context from which a rejection is taken for one of the length. */
const NEAR = 0.9;
/** Characters of text that make a token, on average; words alone say little about code and data. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Returns true for a failure because the conversation is too long: the provider reports it, or it rejects a request that is
 * about as long as the context of the model (LLM-200).
 * @param error - thrown value
 * @param model - model of the turn
 * @param call - the request that failed
 * @param dependencies - sizes of contexts
 */
export function isOverflow(
  error: unknown,
  { provider, modelId }: ResolvedModel,
  call: SizedCall,
  { modelTable = TABLE, contextLimits = DEFAULT_CONTEXT_LIMITS }: OverflowDependencies,
): boolean {
  if (ModelContextLengthError.isInstance(error)) return true;
  if (!ModelRequestFailedError.isInstance(error) || !REJECTIONS.has(error.status)) return false;
  const room = modelTable.find(provider, modelId)?.contextTokens ?? contextLimits.tokens;
  return tokensOf(call) >= room * NEAR;
}

function tokensOf(call: SizedCall): number {
  const { system, messages } = call.request;
  let characters = system.length;
  for (const { content } of messages) {
    for (const part of content) {
      if (part.type === "text") characters += part.text.length;
      else if (part.type === "toolCall") characters += JSON.stringify(part.params)?.length ?? 0;
    }
  }
  return Math.max(requestSize(call).input, Math.ceil(characters / CHARACTERS_PER_TOKEN));
}
