import { vectorOf } from "../embedding-server.js";
import type { ApiResponse } from "./protocol.js";
import { fieldsOf, Rejection, type RequestChecker } from "./rejection.js";
import type { ModelServerRequest } from "./reply.js";

const PATH = /^\/v1beta\/models\/([^/:]+):(embedContent|batchEmbedContents)$/;
const MOST_REQUESTS = 100;
const LARGEST = 3072;

/** Returns true for a request to embed strings. */
export function isEmbedRequest({ method, path }: ModelServerRequest): boolean {
  return method === "POST" && PATH.test(path);
}

/**
 * Returns the response to `embedContent`, with one text, or `batchEmbedContents`, with up to 100. Vectors have 3072
 * dimensions unless a request has `outputDimensionality`; the first value is the length of the text. As in the real API
 * there is no usage.
 * @param request - request whose key was checked
 * @param checker - wording of rejections
 * @throws Rejection when the API would reject the request
 */
export function embedAnswer(
  { path, body }: ModelServerRequest,
  checker: RequestChecker,
): ApiResponse {
  const [, model, method] = PATH.exec(path) ?? [];
  const vectorFor = (request: unknown) => ({ values: embedded(request, model ?? "", checker) });
  if (method === "embedContent") return { status: 200, body: { embedding: vectorFor(body) } };
  const { requests } = checker.fields(body, "", { required: ["requests"] });
  const list = checker.list(requests, "requests");
  if (list.length > MOST_REQUESTS) {
    throw new Rejection(
      "* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch",
    );
  }
  return { status: 200, body: { embeddings: list.map(vectorFor) } };
}

function embedded(request: unknown, model: string, checker: RequestChecker): number[] {
  const fields = checker.fields(request, "", {
    required: ["model", "content"],
    optional: ["outputDimensionality", "taskType", "title"],
  });
  if (fields.model !== `models/${model}`) {
    throw new Rejection("* EmbedContentRequest.model: expected the model of the path");
  }
  const { parts } = checker.fields(fields.content, "content", {
    required: ["parts"],
    optional: ["role"],
  });
  const texts = checker.list(parts, "content.parts").map((part) => fieldsOf(part)?.text);
  const length = fields.outputDimensionality ?? LARGEST;
  if (typeof length !== "number" || length < 1 || length > LARGEST) {
    throw new Rejection("* EmbedContentRequest.output_dimensionality: out of range");
  }
  return vectorOf(texts.join(""), length);
}
