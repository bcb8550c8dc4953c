import { listResponse } from "./openai-chat.js";
import {
  checkBearer,
  checkStrictSchema,
  OPENAI_IMAGE_FORMATS,
  openAiChecker,
  openAiFailed,
  openAiRejected,
} from "./openai-errors.js";
import type { FullReply, ModelServerProtocol } from "./protocol.js";
import { pieces, serverSentEvent } from "./protocol.js";
import { checkImage, checkTool, type Fields, fieldsOf, Rejection } from "./rejection.js";
import type { ModelServer, ModelServerReplySource, ModelServerRequest } from "./reply.js";
import { startModelServer } from "./server.js";
import { IssuedSignatures } from "./signatures.js";

/** Options of a server with the Responses API. */
export interface ResponsesServerOptions {
  /** Valid key. */
  readonly apiKey?: string;
  /** IDs that the server lists. */
  readonly models?: readonly string[];
}

/**
 * Starts a server that speaks the OpenAI Responses API: output items for reasoning, text and function calls, their
 * deltas, and `response.completed` with the usage. Like the real one it rejects a wrong key, unknown parameters,
 * function calls without output, encrypted reasoning that it did not issue, and an unknown previous response.
 * @param replies - one per accepted request, in order
 * @param options - key and models
 */
export function startResponsesServer(
  replies: readonly ModelServerReplySource[] = [],
  options: ResponsesServerOptions = {},
): Promise<ModelServer> {
  return startModelServer(responsesProtocol(options), replies);
}

/** ID of every reasoning item. */
const REASONING_ID = "rs_fake";

const REQUEST = {
  required: ["model"],
  optional: [
    ...["input", "stream", "store", "instructions", "previous_response_id", "temperature", "top_p"],
    ...["max_output_tokens", "text", "reasoning", "include", "tools", "tool_choice", "metadata"],
    ...[
      "parallel_tool_calls",
      "prompt_cache_key",
      "safety_identifier",
      "service_tier",
      "truncation",
    ],
    ...["user", "max_tool_calls", "top_logprobs"],
  ],
};

/** Fields of an input item by type. */
const ITEMS = new Map([
  ["message", { required: ["role", "content"], optional: ["type", "id", "status", "phase"] }],
  [
    "function_call",
    { required: ["type", "call_id", "name", "arguments"], optional: ["id", "status"] },
  ],
  ["function_call_output", { required: ["type", "call_id", "output"], optional: ["id", "status"] }],
  [
    "reasoning",
    { required: ["type", "summary"], optional: ["id", "encrypted_content", "content"] },
  ],
]);

/** A response that the server stored, with the calls that still need an output. */
interface StoredResponse {
  readonly openCalls: readonly string[];
}

/**
 * Returns the Responses API.
 * @param options - key and models
 */
export function responsesProtocol({
  apiKey = "test-key",
  models = ["model-a", "model-b"],
}: ResponsesServerOptions): ModelServerProtocol {
  const signatures = new IssuedSignatures();
  const stored = new Map<string, StoredResponse>();
  return {
    basePath: "/v1",
    contentType: "text/event-stream",
    garbage: 'event: response.output_text.delta\ndata: {"type": <<<\n\n',
    asksForReply: ({ method, path }) => method === "POST" && path === "/v1/responses",
    respond: (request) => listResponse(request, { apiKey, models, basePath: "/v1" }),
    check(request) {
      checkBearer(request, apiKey);
      checkResponsesRequest(request.body, signatures, stored);
    },
    events(reply, request) {
      const id = `resp_fake${stored.size + 1}`;
      if (request.body.store !== false) {
        stored.set(id, { openCalls: reply.toolCalls.map((call) => call.id) });
      }
      return responseEvents(id, reply, request, signatures);
    },
    errorEvent: (message) =>
      serverSentEvent(
        { type: "error", sequence_number: 9, code: "server_error", message, param: null },
        "error",
      ),
    rejected: openAiRejected,
    failed: openAiFailed,
  };
}

function checkResponsesRequest(
  body: Fields,
  signatures: IssuedSignatures,
  stored: ReadonlyMap<string, StoredResponse>,
): void {
  openAiChecker.fields(body, "", REQUEST);
  if (body.stream !== true) throw new Rejection("this server only streams");
  const { previous_response_id: previous } = body;
  const before = previous == null ? undefined : stored.get(String(previous));
  if (previous != null && before === undefined) {
    throw new Rejection(
      `Previous response with id '${String(previous)}' not found.`,
      400,
      "previous_response_not_found",
    );
  }
  const open = new Set<string>(before?.openCalls);
  for (const [index, item] of openAiChecker.list(body.input, "input").entries()) {
    checkItem(item, `input[${index}]`, open, signatures);
  }
  const [unanswered] = open;
  if (unanswered !== undefined) {
    throw new Rejection(`No tool output found for function call ${unanswered}.`);
  }
  for (const tool of body.tools === undefined ? [] : openAiChecker.list(body.tools, "tools")) {
    const { name, parameters } = openAiChecker.fields(tool, "tools[0]", {
      required: ["type", "name"],
      optional: ["description", "parameters", "strict"],
    });
    checkTool(name, parameters);
  }
  const format = fieldsOf(fieldsOf(body.text)?.format);
  if (format?.strict === true) checkStrictSchema(format.schema);
}

function checkItem(
  item: unknown,
  path: string,
  open: Set<string>,
  signatures: IssuedSignatures,
): void {
  const type = String(fieldsOf(item)?.type ?? "message");
  const expected = ITEMS.get(type);
  if (expected === undefined) {
    throw new Rejection(`Invalid value: '${type}'. Supported values are: ${[...ITEMS.keys()]}.`);
  }
  const fields = openAiChecker.fields(item, path, expected);
  if (type === "function_call") open.add(String(fields.call_id));
  if (type === "function_call_output" && !open.delete(String(fields.call_id))) {
    throw new Rejection(
      `No tool call found for function call output with call_id ${String(fields.call_id)}.`,
    );
  }
  // The API compares the ID only when it is sent.
  const id = fields.id ?? REASONING_ID;
  if (type === "reasoning" && !signatures.isOf(fields.encrypted_content, id)) {
    throw new Rejection(
      "The encrypted content for this item could not be verified.",
      400,
      "invalid_encrypted_content",
    );
  }
  if (type !== "message" || !Array.isArray(fields.content)) return;
  for (const part of fields.content) {
    const { type: kind, image_url } = fieldsOf(part) ?? {};
    if (kind === "input_image") {
      const [, mediaType, data] = /^data:([^;]+);base64,(.*)$/.exec(String(image_url)) ?? [];
      checkImage(mediaType, data, OPENAI_IMAGE_FORMATS);
    } else if (!["input_text", "output_text", "input_file"].includes(String(kind))) {
      throw new Rejection(`Invalid value: '${String(kind)}' at ${path}.content.`);
    }
  }
}

/** One output item: how it begins, its deltas, and how it ends. */
interface OutputItem {
  readonly added: object;
  readonly deltas: readonly object[];
  readonly done: object;
}

function responseEvents(
  id: string,
  reply: FullReply,
  { body }: ModelServerRequest,
  signatures: IssuedSignatures,
): string[] {
  const { text, thinking, toolCalls, usage, finish } = reply;
  const response = { id, object: "response", created_at: 1_700_000_000, model: body.model };
  const items = [
    ...(thinking === "" ? [] : [reasoningItem(thinking, signatures)]),
    ...(text === "" ? [] : [textItem(text)]),
    ...toolCalls.map((call, index) => callItem({ ...call, itemId: `fc_${index}` })),
  ];
  let sequence = 0;
  const event = (data: { readonly type: string; readonly [field: string]: unknown }) => {
    sequence += 1;
    return serverSentEvent({ ...data, sequence_number: sequence }, data.type);
  };
  return [
    event({ type: "response.created", response: { ...response, status: "in_progress" } }),
    ...items.flatMap(({ added, deltas, done }, output_index) => [
      event({ type: "response.output_item.added", output_index, item: added }),
      ...deltas.map((delta) => event({ type: "", ...delta, output_index })),
      event({ type: "response.output_item.done", output_index, item: done }),
    ]),
    event({
      type: `response.${endOf(finish).status}`,
      response: {
        ...response,
        ...endOf(finish),
        output: items.map(({ done }) => done),
        usage: {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cached ?? 0 },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
          total_tokens: usage.input + usage.output,
        },
      },
    }),
  ];
}

/** Returns status and details of a response. */
function endOf(finish: string | undefined) {
  if (finish === undefined) return { status: "completed" };
  if (finish !== "failed") return { status: "incomplete", incomplete_details: { reason: finish } };
  return { status: "failed", error: { code: "server_error", message: "The model failed." } };
}

function reasoningItem(thinking: string, signatures: IssuedSignatures): OutputItem {
  const item = { id: REASONING_ID, type: "reasoning" };
  const part = { item_id: item.id, summary_index: 0 };
  const done = {
    ...item,
    encrypted_content: signatures.issue(item.id),
    summary: [{ type: "summary_text", text: thinking }],
  };
  return {
    added: { ...item, summary: [] },
    deltas: [
      {
        type: "response.reasoning_summary_part.added",
        ...part,
        part: { type: "summary_text", text: "" },
      },
      ...pieces(thinking).map((delta) => ({
        type: "response.reasoning_summary_text.delta",
        ...part,
        delta,
      })),
      { type: "response.reasoning_summary_part.done", ...part, part: done.summary[0] },
    ],
    done,
  };
}

function textItem(text: string): OutputItem {
  const item = { id: "msg_fake", type: "message", role: "assistant", status: "completed" };
  const content = { item_id: item.id, content_index: 0 };
  return {
    added: { ...item, status: "in_progress", content: [] },
    deltas: pieces(text).map((delta) => ({
      type: "response.output_text.delta",
      ...content,
      delta,
    })),
    done: { ...item, content: [{ type: "output_text", text, annotations: [] }] },
  };
}

function callItem(call: {
  readonly itemId: string;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}): OutputItem {
  const { itemId, id, name, arguments: input } = call;
  const item = { id: itemId, type: "function_call", call_id: id, name };
  return {
    added: { ...item, arguments: "", status: "in_progress" },
    deltas: [
      ...pieces(input).map((delta) => ({
        type: "response.function_call_arguments.delta",
        item_id: itemId,
        delta,
      })),
      { type: "response.function_call_arguments.done", item_id: itemId, arguments: input },
    ],
    done: { ...item, arguments: input, status: "completed" },
  };
}
