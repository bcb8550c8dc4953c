import { Buffer } from "node:buffer";
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4Warning,
} from "@ai-sdk/provider";
import { defined } from "@openclaw/foundation";
import { UnsupportedPromptPartError } from "../errors.js";

type V3ResultItem = Extract<LanguageModelV3ToolResultOutput, { type: "content" }>["value"][number];
type V4ResultItem = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"][number];
type V4ResultFile = Extract<V4ResultItem, { type: "file" }>;

/**
 * Adapts a v3 model to the v4 interface. v4 differs in how file data is tagged, in a few prompt parts that v3
 * cannot express, and in the `reasoning` option, which becomes a warning.
 * @param model - model of specification v3
 * @throws UnsupportedPromptPartError, at a call, for a prompt part that v3 cannot express
 */
export function liftV3(model: LanguageModelV3): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    async doGenerate(options) {
      const result = await model.doGenerate(lowerOptions(model, options));
      const warnings = [...optionWarnings(options), ...result.warnings];
      return { ...result, content: result.content.map(liftContent), warnings };
    },
    async doStream(options) {
      const result = await model.doStream(lowerOptions(model, options));
      const added = optionWarnings(options);
      const stream = result.stream.pipeThrough(
        new TransformStream<LanguageModelV3StreamPart, LanguageModelV4StreamPart>({
          transform: (part, controller) => controller.enqueue(liftPart(part, added)),
        }),
      );
      return { ...result, stream };
    },
  };
}

function optionWarnings({ reasoning }: LanguageModelV4CallOptions): SharedV4Warning[] {
  return reasoning === undefined || reasoning === "provider-default"
    ? []
    : [{ type: "unsupported", feature: "reasoning", details: "the model's specification is v3" }];
}

function lowerOptions(
  model: LanguageModelV3,
  { reasoning: _reasoning, prompt, ...options }: LanguageModelV4CallOptions,
): LanguageModelV3CallOptions {
  return { ...options, prompt: prompt.map((message) => lowerMessage(model, message)) };
}

function lowerMessage(
  model: LanguageModelV3,
  message: LanguageModelV4Message,
): LanguageModelV3Message {
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "file" ? lowerFile(model, part) : part,
        ),
      };
    case "assistant":
      return {
        ...message,
        content: message.content.map((part) => {
          if (part.type === "file") return lowerFile(model, part);
          if (part.type === "tool-result") return lowerToolResult(model, part);
          if (part.type === "custom" || part.type === "reasoning-file") {
            throw unsupported(model, `a part of type ${part.type}`);
          }
          return part;
        }),
      };
    case "tool":
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "tool-result" ? lowerToolResult(model, part) : part,
        ),
      };
  }
}

function lowerFile(model: LanguageModelV3, part: LanguageModelV4FilePart): LanguageModelV3FilePart {
  const { data } = part;
  switch (data.type) {
    case "data":
      return { ...part, data: data.data };
    case "url":
      return { ...part, data: data.url };
    case "text":
      return { ...part, data: base64(data.text) };
    case "reference":
      throw unsupported(model, "a file by reference");
  }
}

function lowerToolResult(
  model: LanguageModelV3,
  part: LanguageModelV4ToolResultPart,
): LanguageModelV3ToolResultPart {
  return { ...part, output: lowerOutput(model, part.output) };
}

function lowerOutput(
  model: LanguageModelV3,
  output: LanguageModelV4ToolResultOutput,
): LanguageModelV3ToolResultOutput {
  if (output.type !== "content") return output;
  const value = output.value.map((item) =>
    item.type === "file" ? lowerResultFile(model, item) : item,
  );
  return { type: "content", value };
}

function lowerResultFile(
  model: LanguageModelV3,
  { data, mediaType, filename, providerOptions }: V4ResultFile,
): V3ResultItem {
  const options = defined({ providerOptions });
  const isImage = mediaType.startsWith("image/");
  if (data.type === "reference") throw unsupported(model, "a file by reference");
  if (data.type === "url") {
    return { type: isImage ? "image-url" : "file-url", url: data.url.toString(), ...options };
  }
  const bytes = data.type === "text" ? base64(data.text) : base64Data(data.data);
  if (isImage) return { type: "image-data", data: bytes, mediaType, ...options };
  return { type: "file-data", data: bytes, mediaType, ...defined({ filename, providerOptions }) };
}

/** Returns file data as base64; a string already is. */
function base64Data(data: Uint8Array | string): string {
  return typeof data === "string" ? data : base64(data);
}

function base64(content: Uint8Array | string): string {
  return Buffer.from(content).toString("base64");
}

function liftContent(content: LanguageModelV3Content): LanguageModelV4Content {
  return content.type === "file"
    ? { ...content, data: { type: "data", data: content.data } }
    : content;
}

function liftPart(
  part: LanguageModelV3StreamPart,
  added: readonly SharedV4Warning[],
): LanguageModelV4StreamPart {
  if (part.type === "stream-start") return { ...part, warnings: [...added, ...part.warnings] };
  if (part.type === "file") return { ...part, data: { type: "data", data: part.data } };
  return part;
}

function unsupported(model: LanguageModelV3, part: string): UnsupportedPromptPartError {
  return new UnsupportedPromptPartError(`${model.provider}/${model.modelId}`, "v3", part);
}
