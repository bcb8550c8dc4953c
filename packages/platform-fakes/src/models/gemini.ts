import { embedAnswer, isEmbedRequest } from "./gemini-embeddings.js";
import type { ApiResponse, FullReply, ModelServerProtocol } from "./protocol.js";
import { pieces, serverSentEvent } from "./protocol.js";
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

/** Options of a server with the Gemini API. */
export interface GeminiServerOptions {
  /** Valid key. */
  readonly apiKey?: string;
  /** IDs that the server lists, without `models/`. */
  readonly models?: readonly string[];
}

/**
 * Starts a server that speaks the Gemini API: embeddings, and `streamGenerateContent`: chunks with thoughts, text and whole function
 * calls, the last one with finish reason and usage. Like the real one it rejects a wrong key, unknown fields, images of
 * a wrong format, a turn of function calls that is not followed by as many responses, and function calls without
 * the thought signature that it sent with them.
 * @param replies - one per accepted request, in order
 * @param options - key and models
 */
export function startGeminiServer(
  replies: readonly ModelServerReplySource[] = [],
  options: GeminiServerOptions = {},
): Promise<ModelServer> {
  return startModelServer(geminiProtocol(options), replies);
}

const checker = new RequestChecker({
  unknown: (path) =>
    new Rejection(`Invalid JSON payload received. Unknown name "${path}": Cannot find field.`),
  missing: (path) => new Rejection(`* GenerateContentRequest.${path}: ${path} is not specified`),
});

const REQUEST = {
  required: ["contents"],
  optional: [
    ...["generationConfig", "systemInstruction", "safetySettings", "tools", "toolConfig"],
    ...["cachedContent"],
  ],
};
const GENERATION = {
  optional: [
    ...["maxOutputTokens", "temperature", "topK", "topP", "frequencyPenalty", "presencePenalty"],
    ...["stopSequences", "seed", "responseMimeType", "responseJsonSchema", "responseSchema"],
    ...["responseModalities", "thinkingConfig", "candidateCount"],
  ],
};
const PART = {
  optional: [
    "text",
    "thought",
    "thoughtSignature",
    "inlineData",
    "functionCall",
    "functionResponse",
  ],
};
const IMAGE_FORMATS = ["png", "jpeg", "webp", "heic", "heif"];
const REPLY_PATH = /^\/v1beta\/models\/[^/:]+:streamGenerateContent\?alt=sse$/;

function geminiProtocol({
  apiKey = "test-key",
  models = ["gemini-a", "gemini-b"],
}: GeminiServerOptions): ModelServerProtocol {
  const signatures = new IssuedSignatures();
  const checkKey = ({ headers }: ModelServerRequest) => {
    if (headers["x-goog-api-key"] !== apiKey) {
      throw new Rejection(
        "API key not valid. Please pass a valid API key.",
        400,
        "API_KEY_INVALID",
      );
    }
  };
  return {
    basePath: "/v1beta",
    contentType: "text/event-stream",
    garbage: 'data: {"candidates": <<<\n\n',
    asksForReply: ({ method, path }) => method === "POST" && REPLY_PATH.test(path),
    respond(request) {
      if (isEmbedRequest(request)) {
        checkKey(request);
        return embedAnswer(request, checker);
      }
      if (request.method !== "GET" || !/^\/v1beta\/models(?:\?|$)/.test(request.path)) {
        return undefined;
      }
      checkKey(request);
      const supportedGenerationMethods = ["generateContent"];
      const listed = models.map((id) => ({ name: `models/${id}`, supportedGenerationMethods }));
      return { status: 200, body: { models: listed } };
    },
    check(request) {
      checkKey(request);
      checkGenerateRequest(request.body, signatures);
    },
    events: (reply, request) => contentEvents(reply, request, signatures),
    errorEvent: (message) => serverSentEvent(errorBody(503, message)),
    rejected: ({ status, message, code }) => ({ status, body: errorBody(status, message, code) }),
    failed,
  };
}

function checkGenerateRequest(body: Fields, signatures: IssuedSignatures): void {
  checker.fields(body, "", REQUEST);
  if (body.generationConfig !== undefined) {
    checker.fields(body.generationConfig, "generation_config", GENERATION);
  }
  for (const tool of body.tools === undefined ? [] : checker.list(body.tools, "tools")) {
    const { functionDeclarations } = checker.fields(tool, "tools", {
      required: ["functionDeclarations"],
    });
    for (const declared of checker.list(functionDeclarations, "tools.function_declarations")) {
      const { name, parametersJsonSchema } = checker.fields(declared, "function_declarations", {
        required: ["name"],
        optional: ["description", "parameters", "parametersJsonSchema"],
      });
      checkTool(name, parametersJsonSchema);
      checkKeywords(parametersJsonSchema);
    }
  }
  const contents = checker.list(body.contents, "contents");
  let calls = 0;
  contents.forEach((content, index) => {
    const { role, parts } = checker.fields(content, `contents[${index}]`, {
      required: ["role", "parts"],
    });
    if (role !== "user" && role !== "model") {
      throw new Rejection("Please use a valid role: user, model.");
    }
    if (index === 0 && role !== "user") {
      throw new Rejection(
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
      );
    }
    const list = checker.list(parts, `contents[${index}].parts`);
    const read = list.map((part) => checkPart(part, `contents[${index}].parts`, signatures));
    const responses = read.filter(({ functionResponse }) => functionResponse !== undefined).length;
    if (responses !== calls) {
      throw new Rejection(
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      );
    }
    const called = read.filter(({ functionCall }) => functionCall !== undefined);
    calls = called.length;
    // Of parallel calls only the first one is signed.
    if (called[0] !== undefined && called[0].thoughtSignature === undefined) {
      throw new Rejection("Function call is missing a thought_signature in functionCall parts.");
    }
  });
  if (calls > 0) throw new Rejection("Please ensure that function call turn is not the last turn.");
}

/** Keywords of JSON Schema that the API documents. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...["$id", "$anchor", "type", "format", "title", "description", "enum", "items", "prefixItems"],
  ...["minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "required"],
  ...["additionalProperties", "propertyOrdering"],
]);

/** Rejects a keyword that is not documented, and references, at any depth. */
function checkKeywords(schema: unknown): void {
  for (const [keyword, value] of Object.entries(fieldsOf(schema) ?? {})) {
    if (!KEYWORDS.has(keyword)) {
      throw new Rejection(`Invalid JSON payload received. Unknown name "${keyword}" at 'tools'`);
    }
    const isNamed = keyword === "properties";
    if (isNamed) for (const sub of Object.values(fieldsOf(value) ?? {})) checkKeywords(sub);
    else if (keyword !== "enum") for (const sub of [value].flat()) checkKeywords(sub);
  }
}

function checkPart(part: unknown, path: string, signatures: IssuedSignatures): Fields {
  const fields = checker.fields(part, path, PART);
  const { inlineData, functionCall, thoughtSignature } = fields;
  const media = fieldsOf(inlineData);
  if (media !== undefined) checkImage(media.mimeType, media.data, IMAGE_FORMATS);
  const signed = fieldsOf(functionCall)?.name;
  if (thoughtSignature !== undefined && signed !== undefined) {
    // The documented value of clients that lost the signature.
    const isSkipped = thoughtSignature === "skip_thought_signature_validator";
    if (!isSkipped && !signatures.isOf(thoughtSignature, signed)) {
      throw new Rejection("Corrupted thought signature.");
    }
  }
  return fields;
}

function contentEvents(
  { text: written, thinking, toolCalls, usage, finish = "STOP" }: FullReply,
  { path, body }: ModelServerRequest,
  signatures: IssuedSignatures,
): string[] {
  const { text } = endedAtSequence(written, fieldsOf(body.generationConfig)?.stopSequences);
  const modelVersion = /models\/([^:]+):/.exec(path)?.[1];
  const chunk = (parts: readonly object[], rest: object = {}, end: object = {}) =>
    serverSentEvent({
      candidates: [{ content: { parts, role: "model" }, index: 0, ...end }],
      modelVersion,
      responseId: "gemini_fake",
      ...rest,
    });
  const { input, output, cached, reasoning = 0 } = usage;
  return [
    ...pieces(thinking).map((part) => chunk([{ text: part, thought: true }])),
    ...pieces(text).map((part) => chunk([{ text: part }])),
    ...toolCalls.map(({ id, name, arguments: args }, index) => {
      const signature = index === 0 ? { thoughtSignature: signatures.issue(name) } : {};
      return chunk([{ functionCall: { id, name, args: argumentsOf(args) }, ...signature }]);
    }),
    chunk(
      [{ text: "" }],
      {
        usageMetadata: {
          promptTokenCount: input,
          cachedContentTokenCount: cached,
          // Gemini counts thoughts apart from the candidates.
          candidatesTokenCount: output - reasoning,
          thoughtsTokenCount: reasoning,
          totalTokenCount: input + output,
        },
      },
      { finishReason: finish },
    ),
  ];
}

/** The API sends arguments as an object, so that they cannot be malformed. */
function argumentsOf(text: string): unknown {
  return JSON.parse(text);
}

const STATUSES = new Map([
  [400, "INVALID_ARGUMENT"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
]);

function errorBody(code: number, message: string, reason?: string, details: object[] = []) {
  const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason };
  const all = reason === undefined ? details : [info, ...details];
  return { error: { code, message, status: STATUSES.get(code) ?? "UNKNOWN", details: all } };
}

const FAILURES: Readonly<Record<ModelServerFailure, readonly [number, string]>> = {
  "rate-limited": [429, "Resource has been exhausted (e.g. check quota)."],
  "no-quota": [429, "You exceeded your current quota, please check your plan and billing details."],
  overloaded: [503, "The model is overloaded. Please try again later."],
  "server-error": [500, "An internal error has occurred."],
  "context-length": [
    400,
    "The input token count (9001) exceeds the maximum number of tokens allowed (8192).",
  ],
  "unknown-model": [
    404,
    "models/missing is not found for API version v1beta, or is not supported for generateContent.",
  ],
};

function failed(failure: ModelServerFailure): ApiResponse {
  const [status, message] = FAILURES[failure];
  // The wait is stated in the body, not in a header.
  const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" };
  const details = failure === "rate-limited" ? [retry] : [];
  return { status, body: errorBody(status, message, undefined, details) };
}
