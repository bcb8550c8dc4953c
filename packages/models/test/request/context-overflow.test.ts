import { describe, expect, it } from "vitest";
import { isContextOverflow, overflowTokens } from "../../src/request/context-overflow.js";

const TOO_LONG: [provider: string, message: string, status?: number][] = [
  [
    "OpenAI chat",
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
  ],
  [
    "OpenAI responses",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ],
  [
    "Azure",
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens. Please reduce the length of the messages.",
  ],
  ["Anthropic", "prompt is too long: 208310 tokens > 200000 maximum"],
  [
    "Anthropic with max_tokens",
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
  ],
  ["Ollama's num_ctx", "input truncated: the prompt (9000) is longer than num_ctx (4096)"],
  ["a window that is full", "The context window is full"],
  ["Anthropic's proxy", "Request size exceeds model context window"],
  [
    "Gemini",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ],
  [
    "Vertex",
    "Unable to submit request because the input token count is 40000 but model only supports up to 32768. Reduce the input token count and try again.",
  ],
  ["Bedrock Claude", "Input is too long for requested model."],
  [
    "Bedrock Titan",
    "Too many input tokens. Max input tokens: 8192, request input token count: 9000",
  ],
  [
    "Bedrock Nova",
    "Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
  ],
  ["Moonshot", "Invalid request: Your request exceeded model token limit: 131072"],
  ["Kimi", "Your request exceeded model token limit: 262144 (requested: 270011)"],
  [
    "DeepSeek",
    "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (62000 in the messages, 8000 in the completion). Please reduce the length of the messages or completion.",
  ],
  [
    "Mistral",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  ],
  ["Groq", "Please reduce the length of the messages or completion."],
  ["Groq, by size", "Request Entity Too Large"],
  [
    "Together",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`",
    422,
  ],
  ["SGLang", "The input (9000 tokens) is longer than the model's context length (8192 tokens)."],
  [
    "SGLang with a reply",
    "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens.",
  ],
  [
    "vLLM",
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.",
  ],
  [
    "vLLM, newer",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.",
  ],
  [
    "vLLM with max_tokens",
    "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 1234 input tokens (4096 > 4096 - 1234).",
  ],
  ["text-generation-inference", "`inputs` must have less than 4096 tokens. Given: 5000", 422],
  ["llama.cpp", "the request exceeds the available context size, try increasing it"],
  [
    "llama.cpp with numbers",
    "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
  ],
  ["Ollama", "input length exceeds the context length"],
  ["Ollama with numbers", "prompt too long; exceeded max context length by 123 tokens"],
  [
    "LM Studio",
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
  ],
  [
    "Qwen",
    "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
  ],
  ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  [
    "Cohere",
    "too many tokens: size limit exceeded by 1234 tokens. Try using shorter or fewer inputs, or setting prompt_truncation='AUTO'. The limit for this model is 128000 tokens.",
  ],
  [
    "Cohere on Bedrock",
    "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.",
  ],
  [
    "OpenRouter",
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (39000 of text input, 1000 in the output). Please reduce the length of either one, or use the middle-out transform",
  ],
  ["GitHub Copilot", "prompt token count of 130000 exceeds the limit of 128000"],
  [
    "Cerebras",
    "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
  ],
  ["Fireworks", "The prompt is too long: 140000, model maximum context length: 131071"],
  ["SambaNova", "The request has 5000 tokens, which exceeds max sequence length 4096"],
  ["TensorRT", "Prompt length (5000) exceeds maximum input length (4096)."],
  ["MiniMax", "invalid params, context window exceeds limit (2013)"],
  ["Zhipu", "Prompt exceeds max length"],
  ["Zhipu in Chinese", "输入超长，请缩短后重试"],
  ["another one, by its numbers", "Got 140,000 tokens; allowed are 131,072."],
  ["a proxy", "Payload Too Large"],
];

const NOT_TOO_LONG: readonly (readonly [what: string, message: string])[] = [
  [
    "tokens per minute",
    "Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000. Please try again in 6s.",
  ],
  [
    "one request above the tokens per minute",
    "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.",
  ],
  ["a throttled stream", "Too many tokens, please wait before trying again."],
  ["tokens per day", "Too many tokens per day, please wait before trying again."],
  ["a quota of tokens", "Your account has exceeded its daily token limit of 1000000 tokens."],
  ["a monthly limit", "You exceeded your monthly token limit"],
  [
    "a reply of OpenAI",
    "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
  ],
  [
    "a reply of Anthropic",
    "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet",
  ],
  ["a reply of DeepSeek", "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"],
  ["a reply of Qwen", "Range of max_tokens should be [1, 8192]"],
  [
    "a reply of Groq",
    "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
  ],
  [
    "a reply of Gemini",
    "Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 to 65537.",
  ],
  [
    "tools",
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200 instead.",
  ],
  ["a stop sequence", "stop: too many sequences, maximum 4"],
  [
    "an image",
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes",
  ],
  ["a wrong parameter", "Unsupported parameter: 'temperature' is not supported with this model."],
  ["a token that is no longer valid", "The token has expired, please log in again"],
  [
    "a context that is not offered",
    "The long context beta is not yet available for this subscription.",
  ],
  ["a failed server", "upstream connect error or disconnect/reset before headers"],
];

const facts = (message: string, status: number | undefined = 400, ...kinds: string[]) => ({
  message,
  status,
  kinds: new Set(kinds),
});

describe("a conversation that is too long", () => {
  it.each(TOO_LONG)("[LLM-200] is recognised by the words of %s", (...[, message, status]) => {
    expect(isContextOverflow(facts(message, status))).toBe(true);
  });

  it.each(NOT_TOO_LONG)("[LLM-200] is not: %s", (_what, message) => {
    expect(isContextOverflow(facts(message))).toBe(false);
  });

  it.each([
    "context_length_exceeded",
    "exceed_context_size_error",
    "request_too_large",
    "model_max_prompt_tokens_exceeded",
  ])("[LLM-200] is recognised by the code %s", (code) => {
    expect(isContextOverflow(facts("Bad request", 400, code))).toBe(true);
  });

  it("[LLM-200] is recognised by HTTP 413, whatever the message", () => {
    expect(isContextOverflow(facts("<html>nginx</html>", 413))).toBe(true);
    expect(isContextOverflow(facts("tokens per minute", 413, "rate_limit_exceeded"))).toBe(true);
  });

  it.each([
    [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      { used: 9001, limit: 8192 },
    ],
    ["prompt is too long: 208310 tokens > 200000 maximum", { used: 208310, limit: 200000 }],
    [
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      { used: 537812, limit: 131072 },
    ],
    [
      "Your request exceeded model token limit: 131072 (requested: 140000)",
      { used: 140000, limit: 131072 },
    ],
    ["the request exceeds the context window", { used: undefined, limit: undefined }],
  ])("states the tokens of: %s", (message, tokens) => {
    expect(overflowTokens(message)).toEqual(tokens);
  });
});
