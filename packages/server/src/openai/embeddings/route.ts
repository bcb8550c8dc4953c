import {
  type EmbeddingList,
  type EmbeddingRequest,
  embeddingRequestSchema,
} from "@openclaw/protocol/openai";
import { validatorOf } from "@openclaw/protocol/registry";
import type { Context } from "hono";
import { readBody } from "../body.js";
import { failWith, invalid, isFailure, type OpenAiFailure } from "../error.js";
import { failedTurn } from "../outcome.js";
import { given, type ParameterRules } from "../parameters.js";
import type { EmbeddingOutcome, EmbeddingPort } from "./port.js";

const schema = validatorOf(embeddingRequestSchema);
const rules: ParameterRules = {
  supported: new Set(Object.keys(embeddingRequestSchema.properties)),
  defaults: {},
  ignored: { names: ["safety_identifier"] },
};

/** Names by which clients of this gateway mean its configured model. */
const CONFIGURED: ReadonlySet<string> = new Set(["openclaw", "default"]);

/**
 * Creates the route `POST /v1/embeddings` (GW-095).
 * @param host - embedding models
 */
export function embeddingsRoute({ embeddings }: { readonly embeddings: EmbeddingPort }) {
  return async (context: Context): Promise<Response> => {
    const request = await readRequest(context);
    if (isFailure(request)) return failWith(context, request);
    const { input, model } = request;
    const outcome = await embeddings.embed({
      texts: typeof input === "string" ? [input] : input,
      model: CONFIGURED.has(model) ? undefined : model,
      dimensions: given(request.dimensions),
      signal: context.req.raw.signal,
    });
    if (outcome.status === "failed") return failWith(context, failedEmbedding(outcome.error));
    const vectors = readVectors(outcome);
    if (isFailure(vectors)) return failWith(context, vectors);
    return context.json(listOf(vectors, outcome, request.encoding_format === "base64"));
  };
}

async function readRequest(context: Context): Promise<EmbeddingRequest | OpenAiFailure> {
  // The body is read once and kept by Hono.
  const body: unknown = await context.req.json().catch(() => undefined);
  if (isTokenInput(body)) {
    const message =
      "`input` has token IDs, and models of different providers have different tokens; send text (in LangChain: check_embedding_ctx_length=False)";
    return invalid("unsupported_input", message, "input");
  }
  return await readBody(context, schema(), rules);
}

function isTokenInput(body: unknown): boolean {
  if (typeof body !== "object" || body === null || !("input" in body)) return false;
  const { input } = body;
  return (
    Array.isArray(input) &&
    [input, input[0]].some((list) => Array.isArray(list) && typeof list[0] === "number")
  );
}

type Embedded = Extract<EmbeddingOutcome, { status: "embedded" }>;

/** Returns the vectors, or the failure of a request with a text that was not sent. */
function readVectors({ embeddings, model }: Embedded): readonly Float32Array[] | OpenAiFailure {
  const vectors: Float32Array[] = [];
  for (const [index, embedding] of embeddings.entries()) {
    if ("vector" in embedding) {
      vectors.push(embedding.vector);
      continue;
    }
    const param = `input[${index}]`;
    return {
      status: 403,
      type: "permission_error",
      code: "input_blocked",
      message: `${param} was not sent to ${model}: ${embedding.blocked}; remove the secret, or use a model of the provider "local"`,
      param,
      shouldRetry: false,
    };
  }
  return vectors;
}

/** Returns the error for a failed request. Vectors can be requested again, so clients may repeat what may succeed. */
function failedEmbedding(error: Extract<EmbeddingOutcome, { status: "failed" }>["error"]) {
  const told = { code: error.code.toLowerCase(), message: error.message };
  switch (error.code) {
    case "EMBEDDING_DIMENSIONS_UNSUPPORTED":
      return invalid(told.code, told.message, "dimensions");
    case "EMBEDDINGS_DISABLED":
      return { ...invalid(told.code, told.message), status: 409 as const, shouldRetry: false };
    default:
      return { ...failedTurn(error), shouldRetry: error.retryable };
  }
}

function listOf(
  vectors: readonly Float32Array[],
  { model, tokens = 0 }: Embedded,
  isEncoded: boolean,
): EmbeddingList {
  return {
    object: "list",
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: isEncoded ? base64(vector) : [...vector],
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function base64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}
