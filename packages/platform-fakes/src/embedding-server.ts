import { startTestServer, type TestServer } from "./test-server.js";

/** Settings of a server with the embeddings API of OpenAI. */
export interface EmbeddingServerOptions {
  /** API key that requests need; any request is accepted when absent. */
  readonly apiKey?: string;
  /** Length of the vectors unless a request has `dimensions`; default 8. */
  readonly dimensions?: number;
}

const PARAMETERS: ReadonlySet<string> = new Set([
  "model",
  "input",
  "encoding_format",
  "dimensions",
  "user",
]);
const MOST_INPUTS = 2048;

/**
 * Starts a server with the embeddings API of OpenAI at `/v1/embeddings`. It checks requests as OpenAI does: key, model,
 * number and form of the strings, and unknown parameters. The first value of a vector is the length of its text.
 * @param options - key and length of the vectors
 */
export function startEmbeddingServer({
  apiKey,
  dimensions = 8,
}: EmbeddingServerOptions = {}): Promise<TestServer> {
  return startTestServer(({ method, path, headers, body }) => {
    const answer = () => {
      if (method !== "POST" || path !== "/v1/embeddings") {
        return failure(404, `Unknown request URL: ${method} ${path}`, "unknown_url");
      }
      if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
        return failure(401, "Incorrect API key provided", "invalid_api_key");
      }
      return embeddingAnswer(body, dimensions);
    };
    const { status, body: answered } = answer();
    return { status, body: JSON.stringify(answered) };
  });
}

/** Response of the embeddings API. */
export interface EmbeddingAnswer {
  readonly status: number;
  readonly body: object;
}

/**
 * Returns the response of the embeddings API of OpenAI to a request whose key was checked.
 * @param body - body of the request
 * @param dimensions - length of the vectors unless the request has `dimensions`
 */
export function embeddingAnswer(body: unknown, dimensions: number): EmbeddingAnswer {
  if (typeof body !== "object" || body === null) return failure(400, "We could not parse JSON");
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return failure(400, `Unknown parameter: '${unknown}'`);
  const { model, input, encoding_format: format, dimensions: wanted } = fieldsOf(body);
  if (typeof model !== "string" || model === "") return failure(400, "you must provide a model");
  if (format !== undefined && format !== "float") return failure(400, "unsupported format");
  if (wanted !== undefined && !isCount(wanted)) return failure(400, "dimensions is invalid");
  const texts: unknown[] = Array.isArray(input) ? input : [input];
  const isValid = (text: unknown) => typeof text === "string" && text !== "";
  if (texts.length === 0 || texts.length > MOST_INPUTS || !texts.every(isValid)) {
    return failure(400, "'$.input' is invalid", "invalid_request_error");
  }
  const vectors = texts.map((text) => vectorOf(String(text), wanted ?? dimensions));
  return {
    status: 200,
    body: {
      object: "list",
      data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
      model,
      usage: { prompt_tokens: texts.length, total_tokens: texts.length },
    },
  };
}

interface RequestFields {
  readonly model?: unknown;
  readonly input?: unknown;
  readonly encoding_format?: unknown;
  readonly dimensions?: unknown;
}

function fieldsOf(body: RequestFields): RequestFields {
  return body;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

/**
 * Returns a vector whose first value is the length of the text.
 * @param text - text to embed
 * @param length - length of the vector
 */
export function vectorOf(text: string, length: number): number[] {
  return Array.from({ length }, (_, index) => (index === 0 ? text.length : 1 / (index + 1)));
}

function failure(status: number, message: string, code: string | null = null): EmbeddingAnswer {
  const type = "invalid_request_error";
  return { status, body: { error: { message, type, param: null, code } } };
}
