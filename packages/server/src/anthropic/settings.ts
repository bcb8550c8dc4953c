import { defined } from "@openclaw/foundation";
import type { ClientRequest } from "@openclaw/messaging";
import type { MessageRequest } from "@openclaw/protocol/anthropic";
import { given, type RequestedTools, replyFormat } from "../openai/parameters.js";
import { promptCacheOf } from "./prompt-cache.js";

/** Most tokens of reasoning for each effort; a larger budget is a high effort. */
const BUDGETS = [
  { effort: "low", most: 4_096 },
  { effort: "medium", most: 16_384 },
] as const;

type Settings = NonNullable<ClientRequest["settings"]>;

/**
 * Returns the model settings of a request.
 * @param request - valid request
 */
export function readSettings(request: MessageRequest): Settings {
  const { max_tokens, stop_sequences, temperature, top_p, top_k } = request;
  const format = given(request.output_config?.format) ?? given(request.output_format);
  return defined({
    maxOutputTokens: max_tokens,
    stopSequences: stop_sequences?.length === 0 ? undefined : stop_sequences,
    temperature,
    topP: top_p,
    topK: top_k,
    reasoning: readEffort(request),
    responseFormat: replyFormat(format && { ...format, name: "reply" }),
    promptCache: promptCacheOf(request),
  });
}

/** Returns the effort that the model makes to reason. Without `thinking` its own default applies. */
function readEffort({ thinking, output_config }: MessageRequest): Settings["reasoning"] {
  switch (thinking?.type) {
    case undefined:
      return undefined;
    case "disabled":
      return "none";
    case "adaptive":
      return given(output_config?.effort) ?? "high";
    case "enabled": {
      const chosen = given(output_config?.effort);
      return chosen ?? BUDGETS.find(({ most }) => thinking.budget_tokens <= most)?.effort ?? "high";
    }
  }
}

/** Form in which a client receives the reasoning of the model: not at all, as blocks without text, or with their text. */
export type ShownReasoning = "none" | "omitted" | "text";

/**
 * Returns the form in which the client of a request receives the reasoning of the model.
 * @param request - valid request
 */
export function shownReasoning({ thinking }: Pick<MessageRequest, "thinking">): ShownReasoning {
  if (thinking === undefined || thinking.type === "disabled") return "none";
  return thinking.display === "omitted" ? "omitted" : "text";
}

/**
 * Returns the tools of a request and their use.
 * @param request - valid request
 */
export function requestedTools({
  tools = [],
  tool_choice: choice,
}: Pick<MessageRequest, "tools" | "tool_choice">): RequestedTools {
  const isSerial = choice?.type !== "none" && choice?.disable_parallel_tool_use === true;
  return {
    tools: tools.map(({ name, description, input_schema, strict }) => ({
      name,
      parameters: input_schema,
      ...defined({ description, strict }),
    })),
    choice: toolChoice(choice),
    isParallel: isSerial ? false : undefined,
  };
}

function toolChoice(choice: MessageRequest["tool_choice"]): RequestedTools["choice"] {
  switch (choice?.type) {
    case "any":
      return "required";
    case "tool":
      return { name: choice.name };
    default:
      return choice?.type;
  }
}
