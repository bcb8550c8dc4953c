import { type AwsCredentials, checkAwsSignature } from "./aws-signature.js";
import { eventStreamFrame } from "./event-stream-frame.js";
import type { ApiResponse, FullReply, ModelServerProtocol } from "./protocol.js";
import { pieces } from "./protocol.js";
import {
  checkImage,
  checkTool,
  type Fields,
  fieldsOf,
  Rejection,
  RequestChecker,
} from "./rejection.js";
import type {
  ModelServer,
  ModelServerFailure,
  ModelServerReplySource,
  ModelServerRequest,
} from "./reply.js";
import { startModelServer } from "./server.js";
import { IssuedSignatures } from "./signatures.js";
import { endedAtSequence } from "./stop-sequence.js";

/**
 * Starts a server that speaks the Converse API of Amazon Bedrock, `converse-stream`, in frames of the binary
 * event stream. Like the real one it checks the Signature Version 4 of a request, and rejects unknown fields, roles
 * that do not alternate, tool use without a result or without tools, images of a wrong format, and reasoning that it did
 * not sign.
 * @param replies - one per accepted request, in order
 * @param credentials - credentials that it accepts
 */
export function startBedrockServer(
  replies: readonly ModelServerReplySource[] = [],
  credentials: Partial<AwsCredentials> = {},
): Promise<ModelServer> {
  const { sessionToken } = credentials;
  const accepted = {
    accessKeyId: credentials.accessKeyId ?? "AKIATEST",
    secretAccessKey: credentials.secretAccessKey ?? "test-secret",
    region: credentials.region ?? "us-east-1",
  };
  return startModelServer(bedrockProtocol({ ...accepted, sessionToken }), replies);
}

const checker = new RequestChecker({
  unknown: (path) => new Rejection(`extraneous key [${path}] is not permitted`),
  missing: (path) =>
    new Rejection(`1 validation error detected: Value at '${path}' failed to satisfy constraint.`),
});

const REQUEST = {
  required: ["messages"],
  optional: [
    ...["system", "inferenceConfig", "toolConfig", "additionalModelRequestFields"],
    ...["additionalModelResponseFieldPaths", "guardrailConfig", "performanceConfig"],
  ],
};
const BLOCK = {
  optional: [
    ...["text", "image", "document", "toolUse", "toolResult", "reasoningContent", "cachePoint"],
  ],
};
const IMAGE_FORMATS = ["png", "jpeg", "gif", "webp"];
const REPLY_PATH = /^\/model\/[^/]+\/converse-stream$/;

function bedrockProtocol(credentials: AwsCredentials): ModelServerProtocol {
  const signatures = new IssuedSignatures();
  return {
    basePath: "",
    contentType: "application/vnd.amazon.eventstream",
    garbage: eventFrame("contentBlockDelta", { contentBlockIndex: "none" }),
    asksForReply: ({ method, path }) => method === "POST" && REPLY_PATH.test(path),
    respond: () => undefined,
    check(request) {
      checkAwsSignature(request, credentials);
      checkConverseRequest(request.body, signatures);
    },
    events: (reply, request) => converseEvents(reply, request, signatures),
    errorEvent: (message) =>
      eventStreamFrame(
        { ":exception-type": "modelStreamErrorException", ":message-type": "exception" },
        { message },
      ),
    rejected: ({ status, message, code }) =>
      errorResponse(status, code ?? TYPES.get(status) ?? "InternalServerException", message),
    failed,
  };
}

function checkConverseRequest(body: Fields, signatures: IssuedSignatures): void {
  checker.fields(body, "", REQUEST);
  if (body.inferenceConfig !== undefined) {
    checker.fields(body.inferenceConfig, "inferenceConfig", {
      optional: ["maxTokens", "temperature", "topP", "stopSequences"],
    });
  }
  const toolConfig = fieldsOf(body.toolConfig);
  for (const tool of toolConfig === undefined ? [] : checker.list(toolConfig.tools, "tools")) {
    const { toolSpec, cachePoint } = fieldsOf(tool) ?? {};
    if (cachePoint !== undefined) continue;
    const { name, inputSchema } = checker.fields(toolSpec, "toolSpec", {
      required: ["name", "inputSchema"],
      optional: ["description", "strict"],
    });
    checkTool(name, fieldsOf(inputSchema)?.json);
  }
  const messages = checker.list(body.messages, "messages");
  let open: string[] = [];
  messages.forEach((message, index) => {
    const { role, content } = checker.fields(message, `messages.${index}`, {
      required: ["role", "content"],
    });
    if (role !== (index % 2 === 0 ? "user" : "assistant")) {
      throw new Rejection(
        index === 0
          ? "A conversation must start with a user message."
          : "A conversation must alternate between user and assistant roles.",
      );
    }
    const blocks = checker
      .list(content, `messages.${index}.content`)
      .map((block) => checkBlock(block, `messages.${index}.content`, signatures));
    const used = blocks.some(({ toolUse, toolResult }) => toolUse ?? toolResult);
    if (used && toolConfig === undefined) {
      throw new Rejection(
        "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
      );
    }
    open = checkToolUse(blocks, open);
  });
  if (open[0] !== undefined) throw withoutResult(open[0]);
}

function checkBlock(block: unknown, path: string, signatures: IssuedSignatures): Fields {
  const fields = checker.fields(block, path, BLOCK);
  const image = fieldsOf(fields.image);
  if (image !== undefined) checkImage(image.format, fieldsOf(image.source)?.bytes, IMAGE_FORMATS);
  const reasoning = fieldsOf(fieldsOf(fields.reasoningContent)?.reasoningText);
  if (reasoning !== undefined && !signatures.isOf(reasoning.signature, reasoning.text)) {
    throw new Rejection(`${path}: Invalid \`signature\` in \`thinking\` block`);
  }
  if (typeof fields.text === "string" && fields.text.trim() === "") {
    throw new Rejection("The text field in the ContentBlock object is blank.");
  }
  return fields;
}

function checkToolUse(blocks: readonly Fields[], open: readonly string[]): string[] {
  const answered = blocks.flatMap(({ toolResult }) => {
    const id = fieldsOf(toolResult)?.toolUseId;
    return id === undefined ? [] : [String(id)];
  });
  const missing = open.find((id) => !answered.includes(id));
  if (missing !== undefined) throw withoutResult(missing);
  const unexpected = answered.find((id) => !open.includes(id));
  if (unexpected !== undefined) {
    throw new Rejection(
      `The number of toolResult blocks exceeds the number of toolUse blocks of previous turn: ${unexpected}.`,
    );
  }
  return blocks.flatMap(({ toolUse }) => {
    const id = fieldsOf(toolUse)?.toolUseId;
    return id === undefined ? [] : [String(id)];
  });
}

function withoutResult(id: string): Rejection {
  return new Rejection(`Expected toolResult blocks for the following Ids: ${id}`);
}

function converseEvents(
  reply: FullReply,
  { body }: ModelServerRequest,
  signatures: IssuedSignatures,
): Uint8Array[] {
  const { thinking, toolCalls, usage } = reply;
  const sequences = fieldsOf(body.inferenceConfig)?.stopSequences;
  const { text, sequence } = endedAtSequence(reply.text, sequences);
  const stopReason = sequence === undefined ? "end_turn" : "stop_sequence";
  const isAskedFor =
    Array.isArray(body.additionalModelResponseFieldPaths) &&
    body.additionalModelResponseFieldPaths.includes("/delta/stop_sequence");
  const reasoning = (delta: object) => ({ delta: { reasoningContent: delta } });
  const blocks = [
    ...(thinking === ""
      ? []
      : [
          {
            start: undefined,
            deltas: [
              ...pieces(thinking).map((part) => reasoning({ text: part })),
              reasoning({ signature: signatures.issue(thinking) }),
            ],
          },
        ]),
    ...(text === ""
      ? []
      : [{ start: undefined, deltas: pieces(text).map((part) => ({ delta: { text: part } })) }]),
    ...toolCalls.map(({ id, name, arguments: input }) => ({
      start: { toolUse: { toolUseId: id, name } },
      deltas: pieces(input).map((part) => ({ delta: { toolUse: { input: part } } })),
    })),
  ];
  const { input, output, cached = 0, cacheWrite = 0 } = usage;
  return [
    eventFrame("messageStart", { role: "assistant" }),
    ...blocks.flatMap(({ start, deltas }, contentBlockIndex) => [
      // Only a tool use is announced.
      ...(start === undefined
        ? []
        : [eventFrame("contentBlockStart", { contentBlockIndex, start })]),
      ...deltas.map((delta) => eventFrame("contentBlockDelta", { contentBlockIndex, ...delta })),
      eventFrame("contentBlockStop", { contentBlockIndex }),
    ]),
    eventFrame("messageStop", {
      stopReason: reply.finish ?? (toolCalls.length > 0 ? "tool_use" : stopReason),
      ...(sequence !== undefined && isAskedFor
        ? { additionalModelResponseFields: { delta: { stop_sequence: sequence } } }
        : {}),
    }),
    eventFrame("metadata", {
      metrics: { latencyMs: 5 },
      usage: {
        inputTokens: input - cached - cacheWrite,
        outputTokens: output,
        totalTokens: input + output,
        cacheReadInputTokens: cached,
        cacheWriteInputTokens: cacheWrite,
      },
    }),
  ];
}

function eventFrame(type: string, payload: object): Uint8Array {
  return eventStreamFrame(
    { ":event-type": type, ":content-type": "application/json", ":message-type": "event" },
    payload,
  );
}

const TYPES = new Map([
  [400, "ValidationException"],
  [403, "AccessDeniedException"],
  [404, "ResourceNotFoundException"],
  [424, "ModelErrorException"],
  [429, "ThrottlingException"],
  [500, "InternalServerException"],
  [503, "ServiceUnavailableException"],
]);

const FAILURES: Readonly<Record<ModelServerFailure, readonly [number, string]>> = {
  "rate-limited": [429, "Too many requests, please wait before trying again."],
  "no-quota": [400, "Your request exceeds the service quota for your account."],
  overloaded: [503, "Bedrock is unable to process your request."],
  "server-error": [500, "The system encountered an unexpected error during processing."],
  "context-length": [400, "Input is too long for requested model."],
  "unknown-model": [
    404,
    "Could not resolve the foundation model from the provided model identifier.",
  ],
};

function failed(failure: ModelServerFailure): ApiResponse {
  const [status, message] = FAILURES[failure];
  const type = failure === "no-quota" ? "ServiceQuotaExceededException" : TYPES.get(status);
  return errorResponse(status, type ?? "InternalServerException", message);
}

function errorResponse(status: number, type: string, message: string): ApiResponse {
  return { status, headers: { "x-amzn-errortype": type }, body: { message } };
}
