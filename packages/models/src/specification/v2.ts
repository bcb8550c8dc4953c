import type {
  JSONValue,
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2CallWarning,
  LanguageModelV2Content,
  LanguageModelV2FinishReason,
  LanguageModelV2Message,
  LanguageModelV2StreamPart,
  LanguageModelV2ToolResultOutput,
  LanguageModelV2Usage,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResult,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3Usage,
  SharedV2ProviderOptions,
  SharedV3ProviderOptions,
  SharedV3Warning,
} from "@ai-sdk/provider";
import { defined } from "@openclaw/foundation";
import { UnsupportedPromptPartError } from "../errors.js";

type V2Tool = NonNullable<LanguageModelV2CallOptions["tools"]>[number];
type V3Tool = NonNullable<LanguageModelV3CallOptions["tools"]>[number];
type V2ToolResult = Extract<LanguageModelV2Content, { type: "tool-result" }>;

/**
 * Adapts a v2 model to the v3 interface. v2 has flat usage, plain finish reasons, different names of
 * warnings, and tool results without denials and without files by URL.
 * @param model - model of specification v2
 * @throws UnsupportedPromptPartError, at a call, for a prompt part that v2 cannot express
 */
export function liftV2(model: LanguageModelV2): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    async doGenerate(options) {
      const result = await model.doGenerate(lowerOptions(model, options));
      return {
        ...result,
        content: result.content.map(liftContent),
        finishReason: liftFinishReason(result.finishReason),
        usage: liftUsage(result.usage),
        warnings: result.warnings.map(liftWarning),
      };
    },
    async doStream(options) {
      const result = await model.doStream(lowerOptions(model, options));
      const stream = result.stream.pipeThrough(
        new TransformStream<LanguageModelV2StreamPart, LanguageModelV3StreamPart>({
          transform: (part, controller) => controller.enqueue(liftPart(part)),
        }),
      );
      return { ...result, stream };
    },
  };
}

function lowerOptions(
  model: LanguageModelV2,
  { prompt, tools, providerOptions, ...options }: LanguageModelV3CallOptions,
): LanguageModelV2CallOptions {
  const lowered: LanguageModelV2CallOptions = {
    ...options,
    prompt: prompt.map((message) => lowerMessage(model, message)),
    ...forProvider(providerOptions),
  };
  if (tools !== undefined) lowered.tools = tools.map(lowerTool);
  return lowered;
}

function lowerTool(tool: V3Tool): V2Tool {
  if (tool.type === "provider") return { ...tool, type: "provider-defined" };
  const { inputExamples: _examples, strict: _strict, providerOptions, ...functionTool } = tool;
  return { ...functionTool, ...forProvider(providerOptions) };
}

function lowerMessage(
  model: LanguageModelV2,
  { providerOptions, ...message }: LanguageModelV3Message,
): LanguageModelV2Message {
  const options = forProvider(providerOptions);
  switch (message.role) {
    case "system":
      return { ...message, ...options };
    case "user":
      return {
        role: "user",
        content: message.content.map(({ providerOptions: ofPart, ...part }) => ({
          ...part,
          ...forProvider(ofPart),
        })),
        ...options,
      };
    case "assistant":
      return {
        role: "assistant",
        content: message.content.map(({ providerOptions: ofPart, ...part }) =>
          part.type === "tool-result"
            ? { ...part, output: lowerOutput(model, part.output), ...forProvider(ofPart) }
            : { ...part, ...forProvider(ofPart) },
        ),
        ...options,
      };
    case "tool":
      return {
        role: "tool",
        content: message.content.map(({ providerOptions: ofPart, ...part }) => {
          if (part.type === "tool-approval-response") throw unsupported(model, `a ${part.type}`);
          return { ...part, output: lowerOutput(model, part.output), ...forProvider(ofPart) };
        }),
        ...options,
      };
  }
}

/**
 * Removes undefined provider options, which v2 does not allow and which mean the same when they are missing.
 */
function forProvider(options: SharedV3ProviderOptions | undefined): {
  providerOptions?: SharedV2ProviderOptions;
} {
  if (options === undefined) return {};
  const providerOptions: SharedV2ProviderOptions = {};
  for (const [provider, values] of Object.entries(options)) {
    const defined: Record<string, JSONValue> = {};
    for (const [key, value] of Object.entries(values)) {
      if (value !== undefined) defined[key] = value;
    }
    providerOptions[provider] = defined;
  }
  return { providerOptions };
}

function lowerOutput(
  model: LanguageModelV2,
  output: LanguageModelV3ToolResultOutput,
): LanguageModelV2ToolResultOutput {
  if (output.type === "execution-denied") {
    return { type: "error-text", value: output.reason ?? "The call was denied." };
  }
  if (output.type !== "content") return output;
  return {
    type: "content",
    value: output.value.map((item) => {
      if (item.type === "text") return { type: "text", text: item.text };
      if (item.type === "image-data" || item.type === "file-data") {
        return { type: "media", data: item.data, mediaType: item.mediaType };
      }
      throw unsupported(model, `a tool result of type ${item.type}`);
    }),
  };
}

function liftContent(content: LanguageModelV2Content): LanguageModelV3Content {
  return content.type === "tool-result" ? liftToolResult(content) : content;
}

function liftPart(part: LanguageModelV2StreamPart): LanguageModelV3StreamPart {
  switch (part.type) {
    case "stream-start":
      return { ...part, warnings: part.warnings.map(liftWarning) };
    case "tool-result":
      return liftToolResult(part);
    case "finish":
      return {
        ...part,
        finishReason: liftFinishReason(part.finishReason),
        usage: liftUsage(part.usage),
      };
    default:
      return part;
  }
}

function liftToolResult({
  result,
  providerExecuted: _always,
  ...part
}: V2ToolResult): LanguageModelV3ToolResult {
  return { ...part, result: jsonResult(result) };
}

/** Converts a v2 result, which may be anything, to JSON that is not null, as v3 requires. */
function jsonResult(result: unknown): NonNullable<JSONValue> {
  const copy: JSONValue = JSON.parse(JSON.stringify(result ?? "") ?? '""');
  return copy ?? "";
}

function liftFinishReason(reason: LanguageModelV2FinishReason): LanguageModelV3FinishReason {
  return { unified: reason === "unknown" ? "other" : reason, raw: undefined };
}

/**
 * Converts the usage. Providers differ in whether v2's input count includes cached tokens, so `noCache` is
 * left out.
 */
function liftUsage(usage: LanguageModelV2Usage): LanguageModelV3Usage {
  return {
    inputTokens: {
      total: usage.inputTokens,
      noCache: undefined,
      cacheRead: usage.cachedInputTokens,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: usage.outputTokens,
      text: undefined,
      reasoning: usage.reasoningTokens,
    },
  };
}

function liftWarning(warning: LanguageModelV2CallWarning): SharedV3Warning {
  if (warning.type === "other") return warning;
  const feature =
    warning.type === "unsupported-tool" ? `tool ${warning.tool.name}` : String(warning.setting);
  return { type: "unsupported", feature, ...defined({ details: warning.details }) };
}

function unsupported(model: LanguageModelV2, part: string): UnsupportedPromptPartError {
  return new UnsupportedPromptPartError(`${model.provider}/${model.modelId}`, "v2", part);
}
