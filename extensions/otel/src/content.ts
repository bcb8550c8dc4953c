import type { HookEvent } from "@openclaw/plugin-sdk/hooks";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { AgentMessage, DeepReadonly } from "@openclaw/plugin-sdk/tools";
import type { Attributes } from "@opentelemetry/api";
import { ATTRIBUTE } from "./attributes.js";

type ModelInput = HookEvent<"llm_input">;
type ModelOutput = HookEvent<"llm_output">;
type ToolEnd = HookEvent<"after_tool_call">;
type Message = DeepReadonly<AgentMessage>;

/** Characters of one text; the rest is cut off. */
const LONGEST_TEXT = 8192;
/** Characters of one list of messages; older messages are left out. */
const LONGEST_LIST = 32_768;

/** Content of a span, read when the span is exported. */
export interface CapturedContent {
  attributes(): Attributes;
}

/** Returns a value without secrets. */
export type Redact = (value: unknown) => unknown;

interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface GenAiMessage {
  readonly role: string;
  readonly parts: readonly Part[];
}

/** Prompt and reply of a model call. */
export class ModelContent implements CapturedContent {
  readonly #redact: Redact;
  readonly #input: ModelInput;
  output: ModelOutput | undefined;

  /**
   * @param input - input of the model
   * @param redact - removes secrets
   */
  constructor(input: ModelInput, redact: Redact) {
    this.#input = input;
    this.#redact = redact;
  }

  attributes(): Attributes {
    const { systemPrompt, historyMessages, prompt } = this.#input;
    const input = historyMessages.map(messageOf);
    // After tool calls the prompt is part of the history.
    if (historyMessages.at(-1)?.role !== "toolResult")
      input.push({ role: "user", parts: [textPart(prompt)] });
    const reply = this.output?.lastAssistant;
    return {
      ...(systemPrompt === undefined
        ? {}
        : { [ATTRIBUTE.systemInstructions]: this.#json([textPart(systemPrompt)]) }),
      [ATTRIBUTE.inputMessages]: this.#list(input),
      ...(reply === undefined
        ? {}
        : { [ATTRIBUTE.outputMessages]: this.#list([messageOf(reply)]) }),
    };
  }

  #json(value: unknown): string {
    return JSON.stringify(cut(this.#redact(value)));
  }

  /** Returns the newest messages that fit. */
  #list(messages: readonly GenAiMessage[]): string {
    const kept: string[] = [];
    let length = 0;
    for (const message of messages.toReversed()) {
      const json = this.#json(message);
      length += json.length;
      if (length > LONGEST_LIST && kept.length > 0) break;
      kept.unshift(json);
    }
    return `[${kept.join(",")}]`;
  }
}

/**
 * Returns the parameters and the result of a tool call.
 * @param event - the finished call
 * @param redact - removes secrets
 */
export function toolContent({ params, result, error }: ToolEnd, redact: Redact): CapturedContent {
  const json = (value: unknown) => JSON.stringify(cut(redact(value)));
  return {
    attributes: () => ({
      [ATTRIBUTE.toolArguments]: json(params),
      [ATTRIBUTE.toolResult]: json(result?.content.map(contentPart) ?? { error }),
    }),
  };
}

function messageOf(message: Message): GenAiMessage {
  if (message.role !== "toolResult") {
    return { role: message.role, parts: message.content.map(contentPart) };
  }
  const { toolCallId, content } = message;
  const response = content.map(contentPart);
  return { role: "tool", parts: [{ type: "tool_call_response", id: toolCallId, response }] };
}

/** Images and files are named and not copied. */
function contentPart(part: Message["content"][number]): Part {
  switch (part.type) {
    case "text":
      return textPart(part.text);
    case "thinking":
      return { type: "reasoning", content: part.text };
    case "toolCall":
      return {
        type: "tool_call",
        id: part.toolCallId,
        name: part.toolName,
        arguments: part.params,
      };
    case "image":
    case "file":
      return { type: "blob", modality: part.type, mime_type: part.mimeType };
  }
}

function textPart(content: string): Part {
  return { type: "text", content };
}

/** Cuts the strings in a value, after the redaction: half a secret would not be recognised. */
function cut(value: unknown): unknown {
  if (typeof value === "string") {
    return value.length > LONGEST_TEXT ? `${startOfText(value, LONGEST_TEXT)}…` : value;
  }
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cut(each)]));
}
