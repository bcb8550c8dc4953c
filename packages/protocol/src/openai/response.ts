import type { OpenClawOutcome } from "./outcome.js";
import type { ResponseRequest } from "./response-request.js";

/** Text of a message of the model. */
export interface ResponseOutputText {
  type: "output_text";
  text: string;
  annotations: [];
  logprobs: [];
}

/** Message of the model in the output of a response. */
export interface ResponseOutputMessage {
  type: "message";
  id: string;
  status: "in_progress" | "completed" | "incomplete";
  role: "assistant";
  content: ResponseOutputText[];
}

/** Call of a function that the client has to run. */
export interface ResponseFunctionCall {
  type: "function_call";
  id: string;
  call_id: string;
  name: string;
  arguments: string;
  status: "in_progress" | "completed";
}

/** Text of the reasoning of one model call. */
export interface ResponseSummaryText {
  type: "summary_text";
  text: string;
}

/** Reasoning of the model before its answer. */
export interface ResponseReasoning {
  type: "reasoning";
  id: string;
  status: "in_progress" | "completed";
  summary: ResponseSummaryText[];
  /** Reasoning in the form in which only its provider can read it; present when the request includes it. */
  encrypted_content?: string;
}

/** Item of the output of a response. */
export type ResponseOutputItem = ResponseOutputMessage | ResponseFunctionCall | ResponseReasoning;

/** Token usage of a response. */
export interface ResponseUsage {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
}

/** Response of `POST /v1/responses`. */
export interface ResponseObject {
  id: string;
  object: "response";
  /** Seconds since the epoch. */
  created_at: number;
  status: "in_progress" | "completed" | "incomplete" | "failed";
  error: { code: string; message: string } | null;
  incomplete_details: { reason: "max_output_tokens" | "content_filter" } | null;
  instructions: string | null;
  max_output_tokens: number | null;
  metadata: Record<string, string>;
  model: string;
  output: ResponseOutputItem[];
  parallel_tool_calls: boolean;
  previous_response_id: string | null;
  reasoning: {
    effort: NonNullable<ResponseRequest["reasoning"]>["effort"] | null;
    summary: "auto" | null;
  };
  store: boolean;
  temperature: number | null;
  text: { format: NonNullable<NonNullable<ResponseRequest["text"]>["format"]> };
  tool_choice: NonNullable<ResponseRequest["tool_choice"]>;
  tools: NonNullable<ResponseRequest["tools"]>;
  top_p: number | null;
  truncation: "disabled";
  usage: ResponseUsage | null;
  user: string | null;
  openclaw_outcome?: OpenClawOutcome;
}

type SummaryPart = { item_id: string; output_index: number; summary_index: number };

type Part = { item_id: string; output_index: number; content_index: 0 };

/** Server-sent event of a streamed response, without its sequence number. */
export type ResponseEvent =
  | {
      type:
        | "response.created"
        | "response.in_progress"
        | "response.completed"
        | "response.incomplete"
        | "response.failed";
      response: ResponseObject;
    }
  | {
      type: "response.output_item.added" | "response.output_item.done";
      output_index: number;
      item: ResponseOutputItem;
    }
  | ({
      type: "response.content_part.added" | "response.content_part.done";
      part: ResponseOutputText;
    } & Part)
  | ({ type: "response.output_text.delta"; delta: string; logprobs: [] } & Part)
  | ({ type: "response.output_text.done"; text: string; logprobs: [] } & Part)
  | ({
      type: "response.reasoning_summary_part.added" | "response.reasoning_summary_part.done";
      part: ResponseSummaryText;
    } & SummaryPart)
  | ({ type: "response.reasoning_summary_text.delta"; delta: string } & SummaryPart)
  | ({ type: "response.reasoning_summary_text.done"; text: string } & SummaryPart)
  | {
      type: "response.function_call_arguments.delta";
      item_id: string;
      output_index: number;
      delta: string;
    }
  | {
      type: "response.function_call_arguments.done";
      item_id: string;
      output_index: number;
      name: string;
      arguments: string;
    }
  | { type: "error"; code: string; message: string; param: string | null };
