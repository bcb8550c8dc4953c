import { OpenClawError } from "@openclaw/plugin-sdk";
import { describe, expect, it, vi } from "vitest";
import {
  createScriptedModel,
  ModelAuthenticationError,
  ModelConnectionError,
  ModelContextLengthError,
  ModelInvalidResponseError,
  ModelNotAvailableError,
  ModelRateLimitedError,
  ModelRequestError,
  ModelRequestFailedError,
  ModelTimeoutError,
} from "../../src/index.js";
import { failure } from "../support/collect.js";

/** Creates an error as an AI SDK provider throws it for an HTTP response. */
function apiCallError(status: number | undefined, message: string, extra: object = {}): Error {
  return Object.assign(new Error(message), {
    name: "AI_APICallError",
    statusCode: status,
    url: "http://server/v1",
    requestBodyValues: { prompt: "private prompt" },
    responseHeaders: { "set-cookie": "private cookie" },
    ...extra,
  });
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

async function failed(error: Error | { status: number; message: string }) {
  return (await failure(createScriptedModel([{ error }]))).error;
}

describe("requestFailure", () => {
  it.each([
    [500, ModelRequestFailedError, true],
    [503, ModelRequestFailedError, true],
    [529, ModelRequestFailedError, true],
    [409, ModelRequestFailedError, true],
    [400, ModelRequestFailedError, false],
    [422, ModelRequestFailedError, false],
    [401, ModelAuthenticationError, false],
    [403, ModelAuthenticationError, false],
    [404, ModelNotAvailableError, false],
    [408, ModelTimeoutError, true],
    [429, ModelRateLimitedError, true],
    [402, ModelRateLimitedError, false],
    [200, ModelInvalidResponseError, true],
  ])("[LLM-006] selects the class by the status %i", async (status, errorClass, retryable) => {
    const error = await failed(apiCallError(status, "it said so"));
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toMatchObject({ status, retryable, provider: "scripted", model: "script" });
    expect(error.message).toContain(`(HTTP ${status}: it said so)`);
  });

  it("[LLM-400] says that a header cannot be sent, without its value", async () => {
    const raw = await new Promise<Error>((resolve) => {
      try {
        new Headers({ authorization: "Bearer sk-abc…def" });
      } catch (error) {
        if (error instanceof Error) resolve(error);
      }
    });
    const error = await failed(raw);
    expect(error).toBeInstanceOf(ModelAuthenticationError);
    expect(error.message).toContain("a header of the request has a character that HTTP cannot");
    expect(error.message).not.toMatch(/ByteString|sk-abc/);
  });

  it.each([
    ["rate_limit_error", ModelRateLimitedError, true],
    ["insufficient_quota", ModelRateLimitedError, false],
    ["authentication_error", ModelAuthenticationError, false],
    ["model_not_found", ModelNotAvailableError, false],
    ["context_length_exceeded", ModelContextLengthError, false],
    ["overloaded_error", ModelRequestFailedError, true],
    ["invalid_request_error", ModelRequestFailedError, false],
  ])(
    "[LLM-006] selects the class by the code %s of an error in a stream",
    async (type, errorClass, retryable) => {
      // Providers stream an error as a plain object, not as an Error.
      const error = await failed(
        Object.assign(new Error("wrapped"), {
          data: { error: { type, message: "says the server" } },
        }),
      );
      expect(error).toBeInstanceOf(errorClass);
      expect(error.retryable).toBe(retryable);
    },
  );

  it.each([
    ["ECONNREFUSED", ModelConnectionError],
    ["ECONNRESET", ModelConnectionError],
    ["UND_ERR_SOCKET", ModelConnectionError],
    ["UND_ERR_HEADERS_TIMEOUT", ModelTimeoutError],
  ])(
    "[LLM-006] selects the class by the network code %s at any depth",
    async (code, errorClass) => {
      const cause = Object.assign(new Error("socket"), { code });
      const error = await failed(apiCallError(undefined, "Cannot connect to API", { cause }));
      expect(error).toBeInstanceOf(errorClass);
      expect(error.retryable).toBe(true);
      expect(error.cause).toBe(cause);
      expect(error.message).toContain(`Cannot connect to API ${code}`);
    },
  );

  it.each(["AI_JSONParseError", "AI_TypeValidationError", "AI_InvalidResponseDataError"])(
    "treats %s as an invalid response",
    async (name) => {
      expect(await failed(named(name, "bad"))).toBeInstanceOf(ModelInvalidResponseError);
    },
  );

  it("tells a limit of tokens per minute from a conversation that is too long", async () => {
    const error = await failed(apiCallError(429, "Too many tokens per day, please wait."));
    expect(error).toBeInstanceOf(ModelRateLimitedError);
    expect(error).toMatchObject({ retryable: true });
  });

  it("reads the wait that Gemini states in the body, and takes its quota message as final only without one", async () => {
    const message = "You exceeded your current quota, please check your plan and billing details.";
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7.5s" }];
    const waiting = await failed(apiCallError(429, message, { data: { error: { details } } }));
    expect(waiting).toMatchObject({ retryable: true, retryAfterMs: 7500 });
    const exhausted = await failed(apiCallError(429, message));
    expect(exhausted).toMatchObject({ retryable: false, retryAfterMs: undefined });
  });

  it("treats a broken body as a lost connection", async () => {
    expect(await failed(new TypeError("terminated"))).toBeInstanceOf(ModelConnectionError);
  });

  it("finds the cause in an error of a response that started successfully", async () => {
    const reset = apiCallError(200, "Failed to process successful response", {
      cause: new TypeError("terminated"),
    });
    const lost = await failed(reset);
    expect(lost).toBeInstanceOf(ModelConnectionError);
    expect(lost.message).toContain("terminated");
    const empty = apiCallError(200, "Failed to process successful response", {
      cause: named("AI_EmptyResponseBodyError", "Empty response body"),
    });
    const unread = await failed(empty);
    expect(unread).toBeInstanceOf(ModelInvalidResponseError);
    expect(unread.message).toContain("(HTTP 200: Empty response body)");
  });

  it("marks an invalid request as not retryable", async () => {
    const error = await failed(named("AI_InvalidPromptError", "no messages"));
    expect(error).toMatchObject({ code: "MODEL_REQUEST_FAILED", retryable: false });
    expect(error.message).toContain("change the request or choose another model");
  });

  it.each([
    [{ "retry-after": "20" }, 20_000, "in 20 s"],
    [{ "retry-after": "1.5" }, 1500, "in 2 s"],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250, "in 1 s"],
    [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0, "in 0 s"],
    [{ "retry-after": "soon" }, undefined, "later"],
  ])("reads the wait time from %j", async (responseHeaders, retryAfterMs, words) => {
    const error = await failed(apiCallError(429, "slow down", { responseHeaders }));
    expect(ModelRateLimitedError.isInstance(error) && error.retryAfterMs).toBe(retryAfterMs);
    expect(error.message).toContain(`try again ${words}`);
  });

  it("[LLM-200] takes a rejected length as such, with the tokens, and 413 also with the code of a rate limit", async () => {
    const moonshot = "Invalid request: Your request exceeded model token limit: 131072";
    const long = await failed(apiCallError(400, moonshot));
    expect(long).toBeInstanceOf(ModelContextLengthError);
    expect(long).toMatchObject({ limit: 131072 });
    const data = { error: { code: "rate_limit_exceeded", message: "Request too large (TPM)" } };
    const large = await failed(apiCallError(413, "Request too large (TPM)", { data }));
    expect(large).toBeInstanceOf(ModelContextLengthError);
    const often = await failed(apiCallError(429, "Request too large (TPM): Limit 30000", { data }));
    expect(often).toBeInstanceOf(ModelRateLimitedError);
  });
});

describe("content of an error", () => {
  it.each([
    ["Incorrect API key provided: sk-proj-abc123***xyz. See the docs.", "abc123"],
    ["Incorrect API key provided: hunter2.", "hunter2"],
    ['invalid x-api-key: "hunter2"', "hunter2"],
    ["bad header Authorization: Bearer hunter2", "hunter2"],
    ["unknown credential A1b2C3d4E5f6G7h8I9", "A1b2C3d4E5f6G7h8I9"],
    ["key AIzaSyD-1234567890abcdef is disabled", "1234567890"],
  ])("[LLM-006] omits the key from: %s", async (said, key) => {
    const error = await failed(apiCallError(401, said));
    expect(error.message).not.toContain(key);
    expect(error.message).toContain("[redacted]");
  });

  it.each([
    "Your request exceeded model token limit: 131072",
    "Max input tokens: 8192, request input token count: 9,000",
    'tokens: [1, 8192], "max_tokens": 4096, total token usage = 12.5k',
  ])("[LLM-202] keeps numbers of tokens: %s", async (said) => {
    expect((await failed(apiCallError(400, said))).message).toContain(said);
  });

  it("[LLM-006] omits a token that is not a number", async () => {
    const error = await failed(apiCallError(401, "bad token: hunter2, token=12:AbC"));
    expect(error.message).toContain("bad token: [redacted], token=[redacted]");
  });

  it("keeps names of models, which resemble keys", async () => {
    const error = await failed(apiCallError(404, "model: claude-sonnet-4-20250514"));
    expect(error.message).toContain("claude-sonnet-4-20250514");
  });

  it("contains one short line", async () => {
    const error = await failed(apiCallError(500, `first\n\nsecond ${"word ".repeat(200)}`));
    expect(error.message).toContain("first second word");
    expect(error.message.length).toBeLessThan(500);
  });

  it("omits the request and the response headers", async () => {
    const error = await failed(apiCallError(500, "boom"));
    expect(error.cause).toBeUndefined();
    expect(JSON.stringify({ ...error })).not.toContain("private");
  });
});

describe("ModelRequestError.isInstance", () => {
  it("recognises every subclass, also from another copy of the package", async () => {
    const error = await failed({ status: 500, message: "x" });
    expect(ModelRequestError.isInstance(error)).toBe(true);
    expect(ModelRequestFailedError.isInstance(error)).toBe(true);
    expect(ModelTimeoutError.isInstance(error)).toBe(false);
    vi.resetModules();
    const theirs = await import("../../src/request/errors.js");
    const foreign = new theirs.ModelTimeoutError({ provider: "p", model: "m", detail: "" });
    expect(foreign).not.toBeInstanceOf(ModelTimeoutError);
    expect(ModelRequestError.isInstance(foreign)).toBe(true);
    expect(ModelTimeoutError.isInstance(foreign)).toBe(true);
  });

  it("does not recognise other errors", () => {
    expect(ModelRequestError.isInstance(new OpenClawError("x"))).toBe(false);
    expect(ModelRequestError.isInstance(new Error("x"))).toBe(false);
    expect(ModelRequestError.isInstance(undefined)).toBe(false);
  });
});
