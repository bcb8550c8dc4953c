import { randomUUID } from "node:crypto";
import { defined } from "@openclaw/foundation";
import type { AgentMessage, AssistantMessage, JsonSchema, Usage } from "@openclaw/plugin-sdk/tools";
import {
  type ContentBlock,
  type MessageEvent,
  type MessageObject,
  type MessageRequest,
  type MessageStopReason,
  messageRequestSchema,
} from "@openclaw/protocol/anthropic";
import { validatorOf } from "@openclaw/protocol/registry";
import type { Context } from "hono";
import { readBody } from "../openai/body.js";
import { ContentReader, type FetchUrl } from "../openai/content.js";
import { isFailure, type OpenAiFailure } from "../openai/error.js";
import { readConversation } from "./conversation.js";
import { failWithAnthropic } from "./error.js";
import { textBlock, usageOf } from "./message.js";
import { MESSAGE_PARAMETERS } from "./parameters.js";
import { readSettings, requestedTools } from "./settings.js";

/** Model call of a client of the Messages API, without a turn of this host around it. */
export interface RequestedModelCall {
  readonly system: string;
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
  }[];
  readonly toolChoice: "auto" | "required" | "none" | undefined;
  readonly temperature: number | undefined;
  readonly maxOutputTokens: number | undefined;
}

/** Reply of a model. */
export interface CompletedModelCall {
  readonly message: AssistantMessage;
  readonly usage: Usage;
}

const messageSchema = validatorOf(messageRequestSchema);
/** A client of model calls has its files itself. */
const fetchNothing: FetchUrl = () => Promise.reject(new Error("send the content, not its URL"));
const EMPTY: JsonSchema = { type: "object" };
const SSE = { "Content-Type": "text/event-stream; charset=utf-8" };

/**
 * Creates a function that answers `POST /v1/messages` with one model call: whatever the client calls its model, and with
 * its own tools alone.
 * @param now - returns milliseconds since the epoch
 */
export function createModelCallRoute(now: () => number) {
  return async (
    context: Context,
    complete: (call: RequestedModelCall) => Promise<CompletedModelCall | OpenAiFailure>,
  ): Promise<Response> => {
    const request = await readBody(context, messageSchema(), MESSAGE_PARAMETERS);
    if (isFailure(request)) return failWithAnthropic(context, request);
    const call = await readCall(
      request,
      new ContentReader(fetchNothing, context.req.raw.signal),
      now(),
    );
    if (isFailure(call)) return failWithAnthropic(context, call);
    const completed = await complete(call);
    if (isFailure(completed)) return failWithAnthropic(context, completed);
    const message = messageOf(completed, request.model);
    if (request.stream !== true) return context.json(message);
    const events = eventsOf(message).map(
      (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    );
    return context.body(events.join(""), 200, SSE);
  };
}

async function readCall(
  request: MessageRequest,
  reader: ContentReader,
  now: number,
): Promise<RequestedModelCall | OpenAiFailure> {
  const sources = { reader, runOf: () => Promise.resolve(undefined) };
  const conversation = await readConversation(request, sources, now);
  if (isFailure(conversation)) return conversation;
  const { instructions = "", entries } = conversation;
  const { temperature, maxOutputTokens } = readSettings(request);
  const { tools, choice } = requestedTools(request);
  return {
    system: instructions,
    messages: entries.flatMap((entry) => (entry.role === "turn" ? (entry.asSent ?? []) : entry)),
    tools: tools.map(({ name, description, parameters }) => ({
      ...{ name, description: description ?? "", parameters: parameters ?? EMPTY },
    })),
    toolChoice: typeof choice === "object" ? "required" : choice,
    ...{ temperature, maxOutputTokens },
  };
}

function messageOf(
  { message, usage }: CompletedModelCall,
  model: string,
): MessageObject & { readonly stop_reason: MessageStopReason } {
  const content = message.content.flatMap((part): ContentBlock[] => {
    if (part.type === "text") return part.text === "" ? [] : [textBlock(part.text)];
    if (part.type !== "toolCall") return [];
    const { toolCallId: id, toolName: name, params } = part;
    const input = typeof params === "object" && params !== null ? { ...params } : {};
    return [{ type: "tool_use", id, name, input }];
  });
  return {
    ...{ id: `msg_${randomUUID().replaceAll("-", "")}`, type: "message", role: "assistant" },
    ...{ model, content, stop_reason: stopReasonOf(message), stop_sequence: null },
    usage: usageOf(defined(usage)),
  };
}

function stopReasonOf({ stopReason, content }: AssistantMessage): MessageStopReason {
  if (content.some(({ type }) => type === "toolCall")) return "tool_use";
  if (stopReason === "length") return "max_tokens";
  return stopReason === "content-filter" ? "refusal" : "end_turn";
}

/** Returns the events of a message that is complete. */
function eventsOf(
  message: MessageObject & { readonly stop_reason: MessageStopReason },
): readonly MessageEvent[] {
  const { stop_reason, stop_sequence, usage } = message;
  const begun: MessageObject = { ...message, content: [], stop_reason: null };
  const blocks = message.content.flatMap((block, index): MessageEvent[] => {
    const start = { type: "content_block_start", index } as const;
    const stop = { type: "content_block_stop", index } as const;
    if (block.type === "tool_use") {
      const delta = {
        type: "input_json_delta",
        partial_json: JSON.stringify(block.input),
      } as const;
      return [
        { ...start, content_block: { ...block, input: {} } },
        { type: "content_block_delta", index, delta },
        stop,
      ];
    }
    if (block.type !== "text") return [];
    const delta = { type: "text_delta", text: block.text } as const;
    return [
      { ...start, content_block: textBlock("") },
      { type: "content_block_delta", index, delta },
      stop,
    ];
  });
  return [
    { type: "message_start", message: begun },
    ...blocks,
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ];
}
