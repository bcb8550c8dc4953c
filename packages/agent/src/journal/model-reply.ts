import {
  type MalformedToolCall,
  ModelContextLengthError,
  type ModelRequestError,
  type ModelToolCall,
  type ResolvedModel,
} from "@openclaw/models";
import type { AssistantMessage, Usage } from "@openclaw/plugin-sdk/tools";
import type { StepOf } from "./steps.js";

/** Result of one model call. */
export interface ModelReply {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly calls: readonly (ModelToolCall | MalformedToolCall)[];
  /** Reason why the reply is incomplete; its calls are not run. */
  readonly failure?: ModelRequestError | undefined;
}

/**
 * Returns a recorded reply as the model sent it.
 * @param step - that holds it
 */
export function recordedReply({
  message,
  malformedCalls = [],
}: StepOf<"model-answered">): ModelReply {
  const problems = new Map(malformedCalls.map(({ toolCallId, problem }) => [toolCallId, problem]));
  const calls = message.content.flatMap((part): ModelReply["calls"] => {
    if (part.type !== "toolCall") return [];
    const { toolCallId, toolName, params } = part;
    const problem = problems.get(toolCallId);
    if (problem === undefined) return [{ toolCallId, toolName, params }];
    return [{ toolCallId, toolName, rawParams: String(params), problem }];
  });
  return { message, usage: message.usage ?? {}, calls };
}

/**
 * Returns the recorded failure after which a turn continued: the conversation was too long for the model.
 * @param step - that holds it
 * @param model - model of the request
 */
export function recordedFailure(
  { error }: StepOf<"model-failed">,
  { provider, modelId }: ResolvedModel,
): ModelContextLengthError {
  return new ModelContextLengthError(
    { provider, model: modelId, detail: error.message },
    { used: undefined, limit: undefined },
  );
}
